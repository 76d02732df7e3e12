import { PAUSE_REASONS, type PauseReason } from '../../../../contract/agents/schedule-options.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { listRecipients, updatePaused } from './claim-queries.ts'
import type { ScheduleRow } from './records.ts'

/** Pauses a schedule that can no longer run, and notifies the people who can decide about it. */
export async function pause(ctx: JobContext, schedule: ScheduleRow, reason: PauseReason): Promise<void> {
  const { sql } = ctx
  const { orgId, id, name, ownerId } = schedule
  const now = ctx.now()
  await updatePaused(sql, orgId, id, reason, now)
  await recordAudit(ctx, {
    action: 'schedule.paused',
    by: { orgId, userId: ownerId, via: 'system' },
    target: id,
    details: { name, reason },
  })
  const line = name.replace(/\s+/g, ' ')
  const key = `schedule-${id}-paused-${now.getTime()}`
  const title = textWithNames`The schedule “${line}” is paused`
  await notify(
    ctx,
    orgId,
    await listRecipients(sql, orgId, ownerId),
    { kind: 'schedule', key, title, path: '/schedules', projectId: schedule.projectId },
    {
      id: key,
      subject: title,
      text: `${PAUSE_REASONS[reason]} It starts no runs until a member resumes it.\n\nOpen the schedules: ${ctx.mail.linkTo('/schedules')}`,
    },
  )
}
