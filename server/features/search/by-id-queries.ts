import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isUuid } from '../../security/ids.ts'
import type { EntryKey } from './present-queries.ts'

/**
 * The entries that an id leads to: its own entry, and for a record without a page the entry of its parent.
 * `listEntries` decides which of them the caller sees.
 */
export const listByUuid = (sql: Sql, { orgId }: Caller, id: string) => sql<EntryKey[]>`
  select e.type, e.id, e.scope_id as "scopeId" from search_entries e
  where e.org_id = ${orgId} and e.id in (
    select ${id}::uuid
    union all select s.project_id from project_shares s where s.org_id = ${orgId} and s.id = ${id}
    union all select a.run_id from approvals a where a.org_id = ${orgId} and a.id = ${id})
  limit 20`

/** The ids that carriers give to calls and text messages. */
export const listByProviderId = (sql: Sql, { orgId }: Caller, id: string) => sql<EntryKey[]>`
  select 'call' as type, c.id, c.org_id as "scopeId" from calls c
  where c.org_id = ${orgId} and c.provider in ('twilio', 'openai', 'elevenlabs') and c.provider_id = ${id}
  union all
  select 'sms', m.id, m.org_id from sms_messages m where m.org_id = ${orgId} and m.provider_id = ${id}
  limit 20`

export interface EventHit {
  id: string
  type: string
  source: string
  receivedAt: string
}

/** Events by their id, the id that the sender gave them, or the id of one of their deliveries. */
export const listEvents = (sql: Sql, orgId: string, id: string) => {
  const byUuid = isUuid(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql<EventHit[]>`
    select v.id, v.type, v.source, v.received_at as "receivedAt" from events v
    where v.org_id = ${orgId} and v.id = any(array(
      ${byUuid} (select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id} limit 20)))
    order by v.id desc limit 20`
}
