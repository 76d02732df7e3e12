import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { job } from '../../../jobs/job.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { countWaiting } from './payment-queries.ts'

export const reconcileJob = job('payments.reconcile', z.object({}))

export const approvalRequested = job('payments.approval-requested', z.object({ orgId: z.uuid() }))

const HOUR_MS = 3_600_000

/** At most once an hour. Mails omit reasons and amounts. */
export const notifyAdmins = (
  ctx: JobContext<'mail' | 'vault'>,
  { orgId }: z.output<(typeof approvalRequested)['payload']>,
): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const count = await countWaiting(sql, orgId)
    if (count === 0) return
    const now = ctx.now()
    const id = `payments-waiting-${orgId}-${Math.floor(now.getTime() / HOUR_MS)}`
    await notify(
      inside,
      orgId,
      await listAdmins(sql, orgId),
      { kind: 'approval', key: id, path: '/approvals', role: 'admin' },
      ({ t }) => {
        const subject =
          count === 1
            ? t`A machine payment is waiting for approval`
            : t`Machine payments are waiting for approval`
        const text = [
          t`${subject}. Each counts as denied after 24 hours.`,
          t`Decide: ${ctx.mail.linkTo('/approvals')}`,
        ]
        return { subject, text: text.join('\n\n') }
      },
    )
  })

const listAdmins = (sql: Sql, orgId: string) => sql<{ userId: string; email: string }[]>`
  select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role in ('owner', 'admin')`
