import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import type { RelayState } from '../calls/call.ts'

export interface NewBrowserCall {
  id: string
  projectId: string
  agentId: string
  agentName: string
  memberId: string
  keyId: string | null
  relay: RelayState
  dueAt: Date
  now: Date
}

export const insertBrowserCall = (sql: Sql, orgId: string, call: NewBrowserCall) => sql`
  insert into calls (org_id, id, direction, provider, from_number, to_number, project_id, owner_id, action, status,
    agent_id, started_at, due_at, created_by, key_id, relay)
  values (${orgId}, ${call.id}, 'inbound', 'browser', 'browser', ${call.agentName}, ${call.projectId}, ${call.memberId},
    ${sql.json({ type: 'agent', agentId: call.agentId })}, 'queued', ${call.agentId}, ${call.now}, ${call.dueAt},
    ${call.memberId}, ${call.keyId}, ${sql.json(call.relay as never)})`

/** Held until the transaction ends, so that calls started at the same time count each other. */
export const lockBrowserCalls = (sql: Sql, orgId: string) => sql`
  select pg_advisory_xact_lock(hashtextextended('browser calls' || ${orgId}::text, 0))`

/** Without those whose connection was lost for good, which a job ends. */
export async function countOpen(
  sql: Sql,
  orgId: string,
  { memberId, now }: { memberId: string; now: Date },
): Promise<{ ofMember: number; ofOrganization: number }> {
  const [row] = await sql<{ ofMember: number; ofOrganization: number }[]>`
    select count(*)::int as "ofOrganization", (count(*) filter (where created_by = ${memberId}))::int as "ofMember"
    from calls where org_id = ${orgId} and ended_at is null and provider = 'browser' and due_at > ${now}`
  return row!
}

/** The WebSocket URL contains only the call id. */
export async function findOpenBrowserCall(sql: Sql, callId: string): Promise<{ orgId: string } | null> {
  const [row] = await sql<{ orgId: string }[]>`
    select org_id as "orgId" from calls where id = ${callId} and provider = 'browser' and ended_at is null`
  return row ?? null
}

interface Standing {
  hasEnded: boolean
  endReason: CallEnd | null
  connection: number
}

export async function findStanding(sql: Sql, orgId: string, id: string): Promise<Standing | null> {
  const [row] = await sql<Standing[]>`
    select ended_at is not null as "hasEnded", end_reason as "endReason", coalesce((relay ->> 'connection')::int, 0) as connection
    from calls where org_id = ${orgId} and id = ${id}`
  return row ?? null
}

/** Only for the call's newest connection. Afterwards, a job ends the call. */
export const postponeEnd = (
  sql: Sql,
  orgId: string,
  id: string,
  { connection, until }: { connection: number; until: Date },
) => sql`
  update calls set due_at = ${until}
  where org_id = ${orgId} and id = ${id} and ended_at is null and (relay ->> 'connection')::int = ${connection}`

/** Only a part's cost may be known. */
export const addCost = (sql: Sql, orgId: string, id: string, amount: string) => sql`
  update calls set cost = coalesce(cost, 0) + ${amount} where org_id = ${orgId} and id = ${id}`
