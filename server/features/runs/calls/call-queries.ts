import type { CALL_EFFECTS, CALL_ENDS, CALL_RISKS } from '../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../database/database.ts'
import type { Held } from '../engine/lease.ts'

export type Effect = (typeof CALL_EFFECTS)[number]
export type Risk = (typeof CALL_RISKS)[number]
export type CallEnd = (typeof CALL_ENDS)[number]
export type CallState = 'pending' | 'approval' | 'running' | 'waiting' | CallEnd

/** A tool call of a model. Every call ends with an output, which the model receives: a conversation has no half a call. */
export interface CallRow {
  step: number
  ordinal: number
  callId: string
  tool: string
  input: unknown
  effect: Effect
  risk: Risk
  state: CallState
  attempts: number
  output: unknown
  approvalId: string | null
  childRunId: string | null
}

const columns = (sql: Sql) => sql`
  step, ordinal, call_id as "callId", tool, input, effect, risk, state, attempts, output, approval_id as "approvalId",
  child_run_id as "childRunId"`

const OPEN = ['pending', 'approval', 'running', 'waiting']

export const listOpenCalls = (sql: Sql, { orgId, id }: Pick<Held, 'orgId' | 'id'>) => sql<CallRow[]>`
  select ${columns(sql)} from run_calls
  where org_id = ${orgId} and run_id = ${id} and state = any(${OPEN}) order by step, ordinal`

export const listCallsOfStep = (sql: Sql, { orgId, id }: Pick<Held, 'orgId' | 'id'>, step: number) => sql<
  CallRow[]
>`
  select ${columns(sql)} from run_calls
  where org_id = ${orgId} and run_id = ${id} and step = ${step} order by ordinal`

export const insertCalls = (
  sql: Sql,
  { orgId, id }: Held,
  calls: Omit<CallRow, 'attempts' | 'childRunId'>[],
  now: Date,
) => sql`
  insert into run_calls (org_id, run_id, step, ordinal, call_id, tool, input, effect, risk, state, output, approval_id,
    finished_at)
  select ${orgId}, ${id}, c.step, c.ordinal, c."callId", c.tool, c.input, c.effect, c.risk, c.state, c.output,
    c."approvalId", case when c.state <> all(${OPEN}) then ${now}::timestamptz end
  from jsonb_to_recordset(${sql.json(calls as never)}) as c (step int, ordinal int, "callId" text, tool text, input jsonb,
    effect text, risk text, state text, output jsonb, "approvalId" uuid)`

export const startCall = (sql: Sql, { orgId, id }: Held, { step, ordinal }: CallRow, now: Date) => sql`
  update run_calls set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${now})
  where org_id = ${orgId} and run_id = ${id} and step = ${step} and ordinal = ${ordinal}`

export interface CallOutcome {
  state: CallEnd
  output: unknown
  errorCode?: string | null
  outputFileId?: string | null
}

export const endCall = (
  sql: Sql,
  { orgId, id }: Pick<Held, 'orgId' | 'id'>,
  { step, ordinal }: Pick<CallRow, 'step' | 'ordinal'>,
  { state, output, errorCode = null, outputFileId = null }: CallOutcome,
  now: Date,
  /** Of a call that starts and ends in one transaction. */
  startedAt = now,
) => sql`
  update run_calls set state = ${state}, output = ${sql.json(output as never)}, error_code = ${errorCode},
    output_file_id = ${outputFileId}, started_at = coalesce(started_at, ${startedAt}), finished_at = ${now}
  where org_id = ${orgId} and run_id = ${id} and step = ${step} and ordinal = ${ordinal} and state = any(${OPEN})`
