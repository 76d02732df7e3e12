import type { Sql } from '../../../../database/database.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { ApprovedCall } from './edited-call.ts'

export interface Decision {
  decision: 'approved' | 'denied' | 'answered' | 'expired' | 'superseded'
  by: string | null
  note: string | null
  /** The input to use instead of the model's. */
  input?: unknown
  /** The call that runs. */
  call?: ApprovedCall
  /** The answer to a question. */
  answer?: string
}

export interface ApprovalRow {
  id: string
  runId: string
  step: number
  ordinal: number
  kind: 'approval' | 'input'
  tool: string
  risk: string
  input: unknown
  call: CallRow
}

const callOf = (sql: Sql) => sql`
  jsonb_build_object('step', c.step, 'ordinal', c.ordinal, 'callId', c.call_id, 'tool', c.tool, 'input', c.input,
    'effect', c.effect, 'risk', c.risk, 'state', c.state) as call`

export const listOpenApprovals = (sql: Sql, { orgId, id }: Pick<EngineRun, 'orgId' | 'id'>) => sql<
  ApprovalRow[]
>`
  select a.id, a.run_id as "runId", a.step, a.ordinal, a.kind, a.tool, a.risk, a.input, ${callOf(sql)}
  from approvals a
  join run_calls c on c.org_id = a.org_id and c.run_id = a.run_id and c.step = a.step and c.ordinal = a.ordinal
  where a.org_id = ${orgId} and a.run_id = ${id} and a.decision is null order by a.step, a.ordinal`

export const recordDecision = (
  sql: Sql,
  orgId: string,
  id: string,
  { decision, by, note, input }: Decision,
  now: Date,
) => sql`
  update approvals set decision = ${decision}, decided_by = ${by}, decided_at = ${now}, note = ${note},
    edited_input = ${input === undefined ? null : sql.json(input as never)}
  where org_id = ${orgId} and id = ${id} and decision is null`
