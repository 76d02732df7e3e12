import type { Context } from '../../../context.ts'
import type { Fragment } from '../../../database/database.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import type { LockedWebhook } from '../queries.ts'

type Scope = Pick<Context, 'sql' | 'now'> & { caller: Pick<Context['caller'], 'orgId'> }

/** Null cancels pending deliveries. */
export async function retarget(
  { sql, now, caller }: Scope,
  webhookId: string,
  url: string | null,
): Promise<void> {
  if (url === null) await cancelPending({ sql, now, caller }, webhookId)
  else {
    await sql`
      update deliveries set url = ${url}
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying', 'held')`
  }
}

/** Paused: holds pending deliveries. Active: resumes them in creation order. Disabled: cancels them. */
export async function applyStatus(
  ctx: Scope,
  webhookId: string,
  status: LockedWebhook['status'],
): Promise<void> {
  if (status === 'disabled') return cancelPending(ctx, webhookId)
  const { sql, now, caller } = ctx
  if (status === 'paused') {
    await sql`
      with held as (
        update deliveries set status = 'held', next_attempt_at = null
        where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying')
        returning event_id
      )
      update events e set status = 'held'
      where e.org_id = ${caller.orgId} and e.id in (select event_id from held) and e.status = 'retrying'
        and not ${isRetryingElsewhere(sql, webhookId)}`
    return
  }
  await sql`
    with resumed as (
      update deliveries set status = 'pending', next_attempt_at = least(created_at, ${now()})
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status = 'held' returning event_id
    )
    update events set status = 'received'
    where org_id = ${caller.orgId} and id in (select event_id from resumed) and status = 'held'`
  notifyDispatchers(sql)
}

/** Also called before deleting a webhook, so its events don't stay pending. */
export async function cancelPending({ sql, now, caller }: Scope, webhookId: string): Promise<void> {
  await sql`
    with canceled as (
      update deliveries set status = 'canceled', next_attempt_at = null, completed_at = ${now()}
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying', 'held')
      returning event_id
    )
    update events e set status = case e.status when 'held' then 'received' else 'failed' end
    where e.org_id = ${caller.orgId} and e.id in (select event_id from canceled)
      and (e.status = 'held' or (e.status = 'retrying' and not ${isRetryingElsewhere(sql, webhookId)}))`
}

const isRetryingElsewhere = (sql: Context['sql'], webhookId: string): Fragment => sql`exists (
  select from deliveries o
  where o.org_id = e.org_id and o.event_id = e.id and o.webhook_id <> ${webhookId} and o.status = 'retrying')`
