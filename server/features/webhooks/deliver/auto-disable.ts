import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import { queueMail } from '../../../mail/mail.ts'
import { applyStatus } from './pending-deliveries.ts'

export interface DisableReason {
  reason: string
  /** Disable only if the webhook has been failing at least since then. */
  ifFailingSince: Date | null
}

/** Disables a webhook whose endpoint fails, publishes `webhook.disabled`, and emails the owners of the organization. */
export async function disableFailing(
  ctx: JobContext,
  orgId: string,
  id: string,
  { reason, ifFailingSince }: DisableReason,
): Promise<void> {
  await ctx.transaction(async (inside) => {
    const { sql, now } = inside
    const [disabled] = await sql<{ name: string; createdBy: string; version: number }[]>`
      update webhooks set status = 'disabled', disabled_reason = ${reason}, version = version + 1, updated_at = ${now()}
      where org_id = ${orgId} and id = ${id} and status <> 'disabled'
        and (${ifFailingSince}::timestamptz is null or failing_since <= ${ifFailingSince}::timestamptz)
      returning name, created_by as "createdBy", version`
    if (!disabled) return
    await applyStatus({ sql, now, caller: { orgId } }, id, 'disabled')
    await publishIn(sql, orgId, now(), { type: 'webhook.disabled', data: { webhookId: id, reason } })
    const { name, createdBy } = disabled
    await recordAudit(inside, {
      action: 'webhook.disabled',
      by: { orgId, userId: createdBy, via: 'system' },
      target: id,
      details: { name, reason },
    })
    await emailOwners(inside, orgId, { id, reason, ...disabled })
  })
}

async function emailOwners(
  { sql, origin, now }: JobContext,
  orgId: string,
  { id, name, reason, version }: { id: string; name: string; reason: string; version: number },
): Promise<void> {
  const owners = await sql<{ id: string; email: string }[]>`
    select u.id, u.email from memberships m join users u on u.id = m.user_id
    where m.org_id = ${orgId} and m.role = 'owner'`
  const subject = `The webhook ${name} was disabled`.replace(/\s+/g, ' ')
  const text = [
    `${subject}. ${reason}.`,
    `Pending deliveries were canceled. When the endpoint works again, enable the webhook and retry the failed deliveries: ${origin.baseUrl}/webhooks/${id}`,
  ].join('\n\n')
  for (const owner of owners) {
    const mail = { id: `webhook-disabled-${id}-${version}-${owner.id}`, to: owner.email, subject, text }
    await queueMail(sql, orgId, mail, now())
  }
}
