import { z } from 'zod'
import { notifications as endpoints } from '../../../../contract/comments/notifications.ts'
import type { JobContext } from '../../../context.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { sendDigests } from './digest.ts'
import { count, list, markRead } from './inbox.ts'
import { deleteBeyond, deleteOfProject, deleteOld } from './queries.ts'
import { readSettings, unsubscribe, updateSettings } from './settings.ts'

export { listUnread } from './inbox.ts'
export { type NotificationRecipient, notify } from './notify.ts'
export { countUnreadNews, markKeysRead, updateRead } from './queries.ts'

const digestJob = job('notifications.digest', z.object({}))
const sweepJob = job('notifications.sweep', z.object({}))

/** Each member's inbox, notification settings and daily digest. */
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
  jobs: [onJob(digestJob, sendDigests), onJob(sweepJob, sweep)],
  schedules: [
    { job: digestJob, cron: '*/5 * * * *' },
    { job: sweepJob, cron: '40 * * * *' },
  ],
  fills: [fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteOfProject(sql, orgId, id, limit))],
}

const BATCH_SIZE = 1000
/** Twice the job's interval. */
const SINCE_MS = 2 * 3_600_000

async function sweep({ sql, now }: JobContext): Promise<void> {
  await deleteBeyond(sql, new Date(now().getTime() - SINCE_MS))
  while ((await deleteOld(sql, now(), BATCH_SIZE)) === BATCH_SIZE);
}
