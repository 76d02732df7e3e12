import { notifications as endpoints } from '../../../../contract/comments/notifications.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { count, list, markRead } from './inbox.ts'
import { notificationJobs, notificationSchedules } from './jobs.ts'
import { deleteOfProject } from './queries.ts'
import { readSettings, unsubscribe, updateSettings } from './settings.ts'

export { listUnread } from './inbox.ts'
export { type NotificationRecipient, notify } from './notify.ts'
export { updateRead } from './queries.ts'

/** The inbox of each member, their notification settings, and the daily digest. */
export const notifications: Feature = {
  routes: [
    handle(endpoints.list, list),
    handle(endpoints.count, count),
    handle(endpoints.read, markRead),
    handle(endpoints.settings, readSettings),
    handle(endpoints.updateSettings, updateSettings),
    handle(endpoints.confirmUnsubscribe, async ({ mail }, { token }) =>
      reply(null, { redirect: mail.linkTo(`/unsubscribe?token=${encodeURIComponent(token)}`) }),
    ),
    handle(endpoints.unsubscribe, unsubscribe),
  ],
  jobs: notificationJobs,
  schedules: notificationSchedules,
  emptyProject: ({ sql }, { orgId, id }, limit) => deleteOfProject(sql, orgId, id, limit),
}
