import type { Context } from '../../../context.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import type { Locked } from '../queries.ts'

type Room = Pick<Context, 'sql' | 'now'> & { caller: Pick<Context['caller'], 'orgId'> }

/** What is still to be delivered goes to the new address; without one it is called off. */
export async function applyUrl(
  { sql, now, caller }: Room,
  webhookId: string,
  url: string | null,
): Promise<void> {
  if (url === null) await cancelOpen({ sql, now, caller }, webhookId)
  else {
    await sql`
      update deliveries set url = ${url}
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying', 'held')`
  }
}

/** Held while paused, taken up again when active in the order in which it came, called off when disabled. */
export async function applyStatus(ctx: Room, webhookId: string, status: Locked['status']): Promise<void> {
  if (status === 'disabled') return cancelOpen(ctx, webhookId)
  const { sql, now, caller } = ctx
  if (status === 'paused') {
    await sql`
      update deliveries set status = 'held', next_attempt_at = null
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying')`
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

async function cancelOpen({ sql, now, caller }: Room, webhookId: string): Promise<void> {
  await sql`
    with canceled as (
      update deliveries set status = 'canceled', next_attempt_at = null, completed_at = ${now()}
      where org_id = ${caller.orgId} and webhook_id = ${webhookId} and status in ('pending', 'retrying', 'held')
      returning event_id
    )
    update events set status = 'received'
    where org_id = ${caller.orgId} and id in (select event_id from canceled) and status = 'held'`
}
