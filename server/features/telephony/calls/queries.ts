import { Id } from '../../../../contract/fields.ts'
import type { CallEnd, CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import {
  type InsertedEvent,
  insertEventCte,
  insertedEventColumns,
  notifyEvent,
} from '../../../events/publish.ts'
import type { Queue } from '../../../jobs/claim-fairly.ts'
import { mayBeLimited } from '../../billing/budgets/budgets.ts'
import { projectAccess } from '../../projects/access/access.ts'
import type { CallbackNumber } from '../numbers/called-number.ts'
import type { CallAction, CallRow, RelayState } from './call.ts'
import { callEvent, dueAfter } from './record.ts'

export const callColumns = (sql: Sql): Fragment => sql`
  c.id, c.direction, c.provider, c.provider_id as "providerId", c.number_id as "numberId",
  c.voice_agent_id as "voiceAgentId", c.from_number as "from", c.to_number as "to", c.project_id as "projectId",
  c.owner_id as "ownerId", c.rule_id as "ruleId", c.action, c.status, c.sequence, c.agent_id as "agentId",
  c.session_id as "sessionId", c.run_id as "runId", c.started_at as "startedAt", c.answered_at as "answeredAt",
  c.ended_at as "endedAt", c.duration_seconds as "durationSeconds", c.end_reason as "endReason", c.summary,
  c.recording_file_id as "recordingFileId", c.transcript_file_id as "transcriptFileId", c.cost,
  c.cost_is_estimate as "costIsEstimate", c.transfer, c.relay,
  c.requested_at as "requestedAt", c.created_by as "createdBy", c.key_id as "keyId"`

export async function findCall(sql: Sql, orgId: string, id: string): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

export async function findNamedCall(
  sql: Sql,
  { orgId, id }: Pick<CallbackNumber, 'orgId' | 'id'>,
  query: Readonly<Record<string, string>>,
): Promise<CallRow | null> {
  const callId = Id.safeParse(query.call)
  const call = callId.success ? await findCall(sql, orgId, callId.data) : null
  return call?.numberId === id ? call : null
}

/** For example a `CallSid`. */
export async function findByProvider(
  sql: Sql,
  orgId: string,
  provider: CallRow['provider'],
  providerId: string,
): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c
    where c.org_id = ${orgId} and c.provider = ${provider} and c.provider_id = ${providerId}`
  return row ?? null
}

export async function lockByProvider(
  sql: Sql,
  orgId: string,
  provider: CallRow['provider'],
  providerId: string,
): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c
    where c.org_id = ${orgId} and c.provider = ${provider} and c.provider_id = ${providerId} for no key update`
  return row ?? null
}

/** Held until the transaction ends. */
export async function lockCall(sql: Sql, orgId: string, id: string): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c where c.org_id = ${orgId} and c.id = ${id} for no key update`
  return row ?? null
}

export interface NewCall {
  id: string
  direction: 'inbound' | 'outbound'
  providerId: string | null
  numberId: string
  from: string
  to: string
  projectId: string
  ownerId: string
  ruleId: string | null
  action: CallAction
  status: Extract<CallStatus, 'queued' | 'ringing'>
  agentId: string | null
  createdBy: string | null
  keyId: string | null
  relay?: Pick<RelayState, 'tokenHash' | 'tokenUntil'>
  now: Date
}

/** Null if the carrier has reported the call before. */
export async function insertCall(
  sql: Sql,
  orgId: string,
  call: NewCall,
): Promise<{ mayBeLimited: boolean } | null> {
  const { id, direction, status, now } = call
  const [inserted] = await sql<(InsertedEvent & { mayBeLimited: boolean })[]>`
    with call as (
      insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id, owner_id,
        rule_id, action, status, agent_id, started_at, due_at, created_by, key_id, relay)
      values (${orgId}, ${id}, ${direction}, 'twilio', ${call.providerId}, ${call.numberId}, ${call.from}, ${call.to},
        ${call.projectId}, ${call.ownerId}, ${call.ruleId}, ${sql.json(call.action)}, ${status}, ${call.agentId}, ${now},
        ${dueAfter(status, now)}, ${call.createdBy}, ${call.keyId}, ${sql.json(call.relay ?? {})})
      on conflict (provider, provider_id) where provider_id is not null do nothing
      returning org_id, id, agent_id, null::integer as parent_step
    ), entry as (
      insert into call_entries (org_id, call_id, seq, key, at, type)
      select ${orgId}, id, 1, ${`carrier ${status}`}, ${now}, ${status} from call
    ), ${insertEventCte(sql, orgId, now, callEvent('call.started', call, status), sql`from call`)}
    select ${insertedEventColumns(sql)}, ${mayBeLimited(sql)} as "mayBeLimited" from call r`
  if (!inserted) return null
  notifyEvent(sql, orgId, inserted)
  return { mayBeLimited: inserted.mayBeLimited }
}

/** The first id stays, and an id belongs to only one call. */
export const updateProviderId = (sql: Sql, orgId: string, id: string, providerId: string) => sql`
  update calls set provider_id = ${providerId} where org_id = ${orgId} and id = ${id} and provider_id is null
    and not exists (select from calls known where known.provider = 'twilio' and known.provider_id = ${providerId})`

export const DUE_CALLS: Queue = { table: 'calls', key: ['id'], indexedBy: 'due' }

/**
 * Only one concurrent attempt gets true. `before` is an earlier request without a response. `checkAt` is when to ask
 * the carrier about a silent call.
 */
export async function claimRequest(
  sql: Sql,
  orgId: string,
  id: string,
  { before, now, checkAt }: { before: string | null; now: Date; checkAt: Date },
): Promise<boolean> {
  const { count } = await sql`
    update calls set requested_at = ${now}, due_at = ${checkAt}
    where org_id = ${orgId} and id = ${id} and requested_at is not distinct from ${before}::timestamptz
      and provider_id is null and ended_at is null`
  return count > 0
}

export const updateDue = (sql: Sql, orgId: string, id: string, dueAt: Date) => sql`
  update calls set due_at = ${dueAt} where org_id = ${orgId} and id = ${id} and ended_at is null`

/** Includes transfer legs since then. */
export async function listTaken(
  sql: Sql,
  orgId: string,
  numberId: string,
  { ids, since }: { ids: readonly string[]; since: Date },
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select provider_id as id from calls where provider = 'twilio' and provider_id = any(${ids as string[]})
    union all
    select leg.id from calls c cross join lateral (
      select c.transfer ->> 'leg' as id union all select jsonb_array_elements_text(c.transfer -> 'ending')
    ) leg
    where c.org_id = ${orgId} and c.number_id = ${numberId} and c.started_at >= ${since} and c.transfer is not null
      and leg.id = any(${ids as string[]})`
  return new Set(rows.map(({ id }) => id))
}

export const updateDuration = (sql: Sql, orgId: string, id: string, seconds: number) => sql`
  update calls set duration_seconds = ${seconds} where org_id = ${orgId} and id = ${id} and duration_seconds is null`

/** The first reason stays. */
export const updateEndReason = (sql: Sql, orgId: string, callId: string, reason: CallEnd) => sql`
  update calls set end_reason = coalesce(end_reason, ${reason})
  where org_id = ${orgId} and id = ${callId} and ended_at is null`

export const updateAgent = (sql: Sql, orgId: string, id: string, agentId: string) => sql`
  update calls set agent_id = ${agentId} where org_id = ${orgId} and id = ${id}`

export const updateRun = (sql: Sql, orgId: string, id: string, runId: string) => sql`
  update calls set run_id = ${runId} where org_id = ${orgId} and id = ${id}`

interface CallingNumber {
  id: string
  e164: string
  projectId: string
  settings: unknown
}

/** This number, or the oldest, in projects that the caller can edit. */
export async function findCallingNumber(
  sql: Sql,
  caller: Caller,
  e164: string | undefined,
): Promise<CallingNumber | null> {
  const [row] = await sql<CallingNumber[]>`
    select n.id, n.e164, n.project_id as "projectId", n.settings from phone_numbers n
    join projects p on p.org_id = n.org_id and p.id = n.project_id and p.deleted_at is null
    where n.org_id = ${caller.orgId} and n.released_at is null and n.status = 'active'
      and (n.capabilities -> 'voice')::boolean and ${projectAccess(sql, caller)} = 'edit'
      ${e164 === undefined ? sql`` : sql`and n.e164 = ${e164}`}
    order by n.created_at, n.id limit 1`
  return row ?? null
}

export async function findAccount(
  sql: Sql,
  orgId: string,
  numberId: string,
): Promise<{ connectionId: string | null } | null> {
  const [row] = await sql<{ connectionId: string | null }[]>`
    select connection_id as "connectionId" from phone_numbers where org_id = ${orgId} and id = ${numberId}`
  return row ?? null
}
