import { POSITION } from '../../../../../contract/agents/sessions.ts'
import type { Sql } from '../../../../database/database.ts'
import { type MessageRow, messageColumns } from '../../conversations/conversations.ts'

/** A message may be 100 KB. */
export const MESSAGES_MAX = 50
export const EVENTS_MAX = 500

export interface SessionEventRow {
  runId: string
  /** The run's number in its session. */
  run: number
  seq: number
  type: string
  data: unknown
}

export interface NewEntries {
  /** Changes with the title, status, active run or participants. */
  state: string
  messages: MessageRow[]
  events: SessionEventRow[]
}

/**
 * One statement, so one database state: every message sent before one of the events is included. Null if the session
 * was deleted. The limit inside `lateral` makes the planner read each run's events from their index: as a join, it read
 * all of them, 105 ms for 100,000.
 */
export async function readNewEntries(sql: Sql, orgId: string, sessionId: string, after: Position) {
  const [row] = await sql<NewEntries[]>`
    select concat_ws(' ', s.version, s.status, s.active_run_id, s.title) as state,
      case when s.message_seq > ${after.message} then (
        select json_agg(m order by m.seq) from (
          select ${messageColumns(sql)} from messages
          where org_id = s.org_id and session_id = s.id and seq > ${after.message} order by seq limit ${MESSAGES_MAX}) m)
      end as messages, (
        select json_agg(n order by n.run, n.seq) from (
          select r.id as "runId", r.session_seq as run, e.seq, e.type, e.data
          from runs r, lateral (
            select seq, type, data from run_events
            where org_id = r.org_id and run_id = r.id
              and seq >= case when r.session_seq = ${after.run} then ${after.event}::bigint else 0 end
              and (r.session_seq > ${after.run} or seq > ${after.event} or (${!after.hasApproval} and type like 'approval.%'))
            order by seq limit ${EVENTS_MAX}
          ) e
          where r.org_id = s.org_id and r.session_id = s.id and r.session_seq >= ${after.run} and r.events_deleted_at is null
          order by r.session_seq, e.seq limit ${EVENTS_MAX}) n) as events
    from agent_sessions s
    where s.org_id = ${orgId} and s.id = ${sessionId} and s.deleted_at is null`
  if (!row) return null
  return { ...row, messages: (row.messages ?? []).map(withTime), events: row.events ?? [] }
}

/** Converts a JSON time to the format PostgreSQL writes for a column. */
const withTime = (row: MessageRow): MessageRow => ({
  ...row,
  createdAt: new Date(row.createdAt).toISOString(),
})

export interface CurrentPosition {
  message: number
  run: number
  /** The last run's last event. 0 if the run is active, so its text can be built from the first. */
  event: number
  lastEvent: number
}

/** Where a stream starts if it doesn't resume. */
export async function findCurrentPosition(
  sql: Sql,
  orgId: string,
  sessionId: string,
): Promise<CurrentPosition | undefined> {
  const [row] = await sql<CurrentPosition[]>`
    select s.message_seq::int as message, s.run_seq as run,
      case when r.id = s.active_run_id then 0 else coalesce(r.next_seq::int - 1, 0) end as event,
      coalesce(r.next_seq::int - 1, 0) as "lastEvent"
    from agent_sessions s
    left join runs r on r.org_id = s.org_id and r.session_id = s.id and r.session_seq = s.run_seq
    where s.org_id = ${orgId} and s.id = ${sessionId}`
  return row
}

export interface SweptRun {
  runId: string
  lastSeq: number
  end: { status: string; errorCode: string | null; error: string | null }
}

/** Set if the run has ended and its last events were deleted before the client had them. */
export async function findSweptRun(sql: Sql, orgId: string, sessionId: string, { run, event }: Position) {
  const [row] = await sql<SweptRun[]>`
    select r.id as "runId", r.next_seq::int - 1 as "lastSeq",
      json_build_object('status', r.status, 'errorCode', r.error_code, 'error', r.error) as "end"
    from runs r
    where r.org_id = ${orgId} and r.session_id = ${sessionId} and r.session_seq = ${run} and r.finished_at is not null
      and r.next_seq - 1 > ${event} and (r.events_deleted_at is not null or not exists (
        select from run_events e where e.org_id = r.org_id and e.run_id = r.id and e.seq = r.next_seq - 1))`
  return row
}

/** The last session entries a client has received. */
export interface Position {
  message: number
  /** The last run's number in its session, and its last event's number. */
  run: number
  event: number
  /** The client also has the approval the event is about. */
  hasApproval: boolean
}

export const formatPosition = ({ message, run, event, hasApproval }: Position): string =>
  `${message}.${run}.${event}${hasApproval ? '.1' : ''}`

/** Undefined if the text isn't a position. */
export function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined || !POSITION.test(text)) return undefined
  const [message, run, event, approval] = text.split('.').map(Number)
  return { message: message!, run: run!, event: event!, hasApproval: approval === 1 }
}
