import {
  CALL_STATUSES,
  type CallEnd,
  type CallStatus,
  OPEN_CALL_STATUSES,
} from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { type EventInput, publishIn } from '../../../events/publish.ts'
import type { CallRow } from './call.ts'

export interface CallEntry {
  at: Date
  type: string
  detail?: string | null
  /** Recorded once per key. */
  key?: string
}

/** The caller must hold the call's lock. False if the key was recorded before, so the callback is a repeat. */
export async function recordEntry(
  sql: Sql,
  orgId: string,
  callId: string,
  entry: CallEntry,
): Promise<boolean> {
  const { at, type, detail = null, key = null } = entry
  const rows = await sql`
    insert into call_entries (org_id, call_id, seq, key, at, type, detail)
    select ${orgId}, ${callId}, coalesce(max(seq), 0) + 1, ${key}, ${at}, ${type}, ${detail}
    from call_entries where org_id = ${orgId} and call_id = ${callId}
    on conflict (org_id, call_id, key) where key is not null do nothing
    returning seq`
  return rows.length > 0
}

export interface CallChange {
  status: CallStatus
  at: Date
  endReason?: CallEnd | null
  durationSeconds?: number | null
  sequence?: number | null
}

/** After this silence, the server asks the carrier for the status. */
const SILENT_MS: Partial<Record<CallStatus, number>> = {
  queued: 3 * 60_000,
  ringing: 3 * 60_000,
  in_progress: 15 * 60_000,
}

/** Status never goes back, and the first end and times stay. */
export async function advanceCall(
  sql: Sql,
  orgId: string,
  callId: string,
  { status, at, endReason, durationSeconds, sequence }: CallChange,
): Promise<{ isChanged: boolean; isEnd: boolean }> {
  const isEnded = !OPEN_CALL_STATUSES.includes(status)
  const earlier = isEnded ? OPEN_CALL_STATUSES : CALL_STATUSES.slice(0, CALL_STATUSES.indexOf(status))
  const rows = await sql`
    update calls set status = ${status}, sequence = greatest(sequence, ${sequence ?? -1}), due_at = ${dueAfter(status, at)},
      answered_at = case when ${status} = 'in_progress' then coalesce(answered_at, ${at}) else answered_at end,
      ended_at = case when ${isEnded} then coalesce(ended_at, ${at}) end,
      end_reason = coalesce(end_reason, ${endReason ?? null}),
      duration_seconds = coalesce(${durationSeconds ?? null}, duration_seconds)
    where org_id = ${orgId} and id = ${callId} and status = any(${earlier as string[]})
    returning id`
  const isChanged = rows.length > 0
  return { isChanged, isEnd: isEnded && isChanged }
}

/** Null for an ended call. */
export function dueAfter(status: CallStatus, at: Date): Date | null {
  const silentMs = SILENT_MS[status]
  return silentMs === undefined ? null : new Date(at.getTime() + silentMs)
}

type PublishedCall = Pick<CallRow, 'id' | 'direction' | 'projectId' | 'numberId' | 'agentId'>

/** Omits phone numbers, because every member can read the event log. */
export const callEvent = (
  type: 'call.started' | 'call.updated' | 'call.ended',
  { id, direction, projectId, numberId, agentId }: PublishedCall,
  status: CallStatus,
): EventInput => ({ type, data: { callId: id, direction, projectId, numberId, agentId, status } })

export const publishCall = (
  sql: Sql,
  orgId: string,
  now: Date,
  ...event: Parameters<typeof callEvent>
): Promise<void> => publishIn(sql, orgId, now, callEvent(...event))
