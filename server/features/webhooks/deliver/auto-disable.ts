import type { PauseReason } from '../../../../contract/webhooks/webhook-records.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import type { Words } from '../../../mail/words.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { applyStatus } from './pending-deliveries.ts'

export interface DisableReason {
  reason: string
  ifFailingSince: Date | null
}

/** Also publishes `webhook.disabled` and notifies the owners. */
export async function disableFailing(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  id: string,
  { reason, ifFailingSince }: DisableReason,
): Promise<void> {
  await ctx.transaction(async (inside) => {
    const { sql, now } = inside
    const [webhook] = await sql<{ name: string; createdBy: string; version: number }[]>`
      update webhooks set status = 'disabled', disabled_reason = ${reason}, version = version + 1, updated_at = ${now()}
      where org_id = ${orgId} and id = ${id} and status <> 'disabled'
        and (${ifFailingSince}::timestamptz is null or failing_since <= ${ifFailingSince}::timestamptz)
      returning name, created_by as "createdBy", version`
    if (!webhook) return
    await applyStatus({ sql, now, caller: { orgId } }, id, 'disabled')
    await publishIn(sql, orgId, now(), { type: 'webhook.disabled', data: { webhookId: id, reason } })
    const { name, createdBy } = webhook
    await recordAudit(inside, {
      action: 'webhook.disabled',
      by: { orgId, userId: createdBy, via: 'system' },
      target: id,
      details: { name, reason },
    })
    await notifyOwners(inside, orgId, id, {
      key: `webhook-disabled-${id}-${webhook.version}`,
      write: ({ t, textWithNames, translate }, url) => ({
        subject: textWithNames`The webhook ${oneLine(name)} was disabled`,
        text: t`${translate(reason)}. Pending deliveries were canceled. When the endpoint works again, enable the webhook and retry the failed deliveries: ${url}`,
      }),
    })
  })
}

const pauses = ({ t }: Words, url: string): Record<PauseReason, string> => ({
  timeouts: t`Its endpoint kept timing out. New events are held. When the endpoint works again, resume the webhook: ${url}`,
  backlog: t`Its endpoint could not keep up, and too many deliveries were waiting. They are held, and new events are only kept in the event log. When the endpoint works again, resume the webhook and replay the events since then: ${url}`,
})

/** Also publishes `webhook.paused` and notifies the owners. */
export async function pauseFailing(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  id: string,
  reason: PauseReason,
): Promise<void> {
  await ctx.transaction(async (inside) => {
    const { sql, now } = inside
    // A webhook paused for timeouts or by a member can still build up held deliveries.
    const [webhook] = await sql<{ name: string; createdBy: string; version: number; wasActive: boolean }[]>`
      update webhooks w set status = 'paused', paused_reason = ${reason}, paused_at = ${now()}, version = w.version + 1,
        updated_at = ${now()}
      from (select status from webhooks where org_id = ${orgId} and id = ${id} for update) before
      where w.org_id = ${orgId} and w.id = ${id} and w.paused_reason is distinct from 'backlog'
        and (w.status = 'active' or (w.status = 'paused' and ${reason}::text = 'backlog'))
      returning w.name, w.created_by as "createdBy", w.version, before.status = 'active' as "wasActive"`
    if (!webhook) return
    const { name, createdBy, version } = webhook
    if (webhook.wasActive) await applyStatus({ sql, now, caller: { orgId } }, id, 'paused')
    await publishIn(sql, orgId, now(), { type: 'webhook.paused', data: { webhookId: id, reason } })
    await recordAudit(inside, {
      action: 'webhook.paused',
      by: { orgId, userId: createdBy, via: 'system' },
      target: id,
      details: { name, reason },
    })
    const key = `webhook-paused-${id}-${version}`
    await notifyOwners(inside, orgId, id, {
      key,
      write: (words, url) => {
        const { textWithNames } = words
        return {
          subject: textWithNames`The webhook ${oneLine(name)} was paused`,
          text: pauses(words, url)[reason],
        }
      },
    })
  })
}

async function notifyOwners(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  id: string,
  { key, write }: { key: string; write: (words: Words, url: string) => { subject: string; text: string } },
): Promise<void> {
  const path = `/webhooks/${id}`
  await notify(
    ctx,
    orgId,
    await listOwners(ctx.sql, orgId),
    { kind: 'webhook', key, path, role: 'owner' },
    (words) => {
      const { subject, text } = write(words, ctx.mail.linkTo(path))
      return { subject, text: `${subject}.\n\n${text}` }
    },
  )
}

const oneLine = (name: string) => name.replace(/\s+/g, ' ')

const DAY_MS = 86_400_000

/** At most once a day per webhook. */
export async function notifyOfFailure(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  id: string,
): Promise<void> {
  const [webhook] = await ctx.sql<{ name: string }[]>`
    select name from webhooks where org_id = ${orgId} and id = ${id}`
  if (!webhook) return
  const key = `webhook-dead-${id}-${Math.floor(ctx.now().getTime() / DAY_MS)}`
  await notify(
    ctx,
    orgId,
    await listOwners(ctx.sql, orgId),
    { kind: 'webhook', key, path: `/webhooks/${id}`, role: 'owner' },
    ({ t, textWithNames }) => {
      const subject = textWithNames`Events could not be delivered to the webhook ${oneLine(webhook.name)}`
      const url = ctx.mail.linkTo(`/webhooks/${id}`)
      return {
        subject,
        text: `${t`${subject}. All attempts failed.`}\n\n${t`See and retry the deliveries: ${url}`}`,
      }
    },
  )
}

const listOwners = (sql: Sql, orgId: string) => sql<{ userId: string; email: string }[]>`
  select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role = 'owner'`
