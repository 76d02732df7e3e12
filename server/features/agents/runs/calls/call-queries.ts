import type { CALL_ENDS } from '../../../../../contract/agents/run-events.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { Effect, Risk } from '../../../../tools/tool.ts'
import type { ToolImage } from '../../../../tools/tool-images.ts'
import type { LeasedRun } from '../state/lease.ts'

export type CallEnd = (typeof CALL_ENDS)[number]
export type CallState = 'pending' | 'approval' | 'running' | 'waiting' | CallEnd

/** Every call ends with an output: providers refuse a conversation with an unfinished call. */
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
  /** Beside the output. Null if there are none. */
  images: readonly ToolImage[] | null
  approvalId: string | null
  childRunId: string | null
  /** The ordinal of the call that runs the program which made this one. */
  parent: number | null
  requestHash: string | null
}

/** A program's calls follow the numbers of a step's own calls. */
const PROGRAM_ORDINALS = 1_000_000
export const ordinalIn = (parent: number, number: number): number => parent * PROGRAM_ORDINALS + number
export const numberIn = (ordinal: number): number => ordinal % PROGRAM_ORDINALS

export const callColumns = (sql: Sql) => sql`
  step, ordinal, call_id as "callId", tool, input, effect, risk, state, attempts, output, images,
  approval_id as "approvalId", child_run_id as "childRunId", parent, request_hash as "requestHash"`

const OPEN = ['pending', 'approval', 'running', 'waiting']

export const isOpen = ({ state }: Pick<CallRow, 'state'>) => OPEN.includes(state)

export const listOpenCalls = (sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>) => sql<CallRow[]>`
  select ${callColumns(sql)} from run_calls
  where org_id = ${orgId} and run_id = ${id} and state = any(${OPEN}) order by step, ordinal`

/** Without those of programs. */
export const listCallsOfStep = (
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  step: number,
) => sql<CallRow[]>`
  select ${callColumns(sql)} from run_calls
  where org_id = ${orgId} and run_id = ${id} and step = ${step} and parent is null order by ordinal`

export const insertCalls = (
  sql: Sql,
  { orgId, id }: LeasedRun,
  calls: Omit<CallRow, 'attempts' | 'childRunId' | 'images'>[],
  now: Date,
) => sql`
  insert into run_calls (org_id, run_id, step, ordinal, call_id, tool, input, effect, risk, state, output, approval_id,
    parent, request_hash, finished_at)
  select ${orgId}, ${id}, c.step, c.ordinal, c."callId", c.tool, c.input, c.effect, c.risk, c.state, c.output,
    c."approvalId", c.parent, c."requestHash", case when c.state <> all(${OPEN}) then ${now}::timestamptz end
  from jsonb_to_recordset(${sql.json(calls as never)}) as c (step int, ordinal int, "callId" text, tool text, input jsonb,
    effect text, risk text, state text, output jsonb, "approvalId" uuid, parent int, "requestHash" text)`

/** Part of the statement that appends the start event. */
export const startCallCte = (sql: Sql, { step, ordinal }: CallRow, now: Date): Fragment => sql`
  call as (
    update run_calls c set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${now})
    from run where c.org_id = run.org_id and c.run_id = run.id and c.step = ${step} and c.ordinal = ${ordinal}
  )`

export const updateWaitingForChild = (
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  { step, ordinal }: Pick<CallRow, 'step' | 'ordinal'>,
  childRunId: string,
  now: Date,
) => sql`
  update run_calls set state = 'waiting', child_run_id = ${childRunId}, attempts = attempts + 1,
    started_at = coalesce(started_at, ${now})
  where org_id = ${orgId} and run_id = ${id} and step = ${step} and ordinal = ${ordinal}`

/** Part of the statement that checks the lease. */
export const holdCallCte = (
  sql: Sql,
  { step, ordinal }: Pick<CallRow, 'step' | 'ordinal'>,
  output: { connectionId: string; message: string },
): Fragment => sql`
  call as (
    update run_calls c set state = 'waiting', output = ${sql.json(output)} from run
    where c.org_id = run.org_id and c.run_id = run.id and c.step = ${step} and c.ordinal = ${ordinal}
  )`

export interface CallOutcome {
  state: CallEnd
  output: unknown
  images?: readonly ToolImage[]
  errorCode?: string | null
  outputFileId?: string | null
  /** Contains untrusted text. */
  isOutside?: boolean
}

type CallKey = Pick<CallRow, 'step' | 'ordinal'>

export const endCall = (
  sql: Sql,
  { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>,
  { step, ordinal }: CallKey,
  outcome: CallOutcome,
  now: Date,
) => sql`
  update run_calls set ${endColumns(sql, outcome, now, now)}
  where org_id = ${orgId} and run_id = ${id} and step = ${step} and ordinal = ${ordinal} and state = any(${OPEN})`

/** Part of the statement that appends the end event. */
export const endCallCte = (
  sql: Sql,
  { step, ordinal }: CallKey,
  outcome: CallOutcome,
  now: Date,
  startedAt: Date | null,
): Fragment => sql`
  call as (
    update run_calls c set ${endColumns(sql, outcome, now, startedAt ?? now)} ${startedAt ? sql`, attempts = attempts + 1` : sql``}
    from run
    where c.org_id = run.org_id and c.run_id = run.id and c.step = ${step} and c.ordinal = ${ordinal}
      and c.state = any(${OPEN})
  )`

const endColumns = (
  sql: Sql,
  { state, output, images = [], errorCode = null, outputFileId = null }: CallOutcome,
  now: Date,
  startedAt: Date,
): Fragment => sql`
  state = ${state}, output = ${sql.json(output as never)}, error_code = ${errorCode}, output_file_id = ${outputFileId},
  images = ${images.length > 0 ? sql.json(images as never) : null},
  started_at = coalesce(started_at, ${startedAt}), finished_at = ${now}`
