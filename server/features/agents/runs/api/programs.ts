import type { z } from 'zod'
import {
  type AgentCall,
  type agentRuns,
  PROGRAM_CALLS_SHOWN,
  PROGRAM_FIELD_CHARACTERS,
  PROGRAM_INPUT_CHARACTERS,
  type ProgramCall,
} from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { numberIn, ordinalIn } from '../calls/call-queries.ts'
import { findAgentRun } from './run-queries.ts'

type Program = NonNullable<z.output<typeof AgentCall>['program']>
type ListedCall = Program['calls'][number]

export interface ProgramView extends Omit<Program, 'calls'> {
  step: number
  ordinal: number
  calls: (Omit<ListedCall, 'number'> & { ordinal: number })[]
}

export function programOf(
  { step, ordinal }: { step: number; ordinal: number },
  programs: readonly ProgramView[],
): Program | null {
  const found = programs.find((program) => program.step === step && program.ordinal === ordinal)
  if (!found) return null
  const { callCount, console, calls } = found
  return {
    callCount,
    console,
    calls: calls.map((call) =>
      numbered({ ...call, startedAt: toIso(call.startedAt), finishedAt: toIso(call.finishedAt) }),
    ),
  }
}

/** JSON from the database has another format. */
const toIso = (time: string | null) => (time === null ? null : new Date(time).toISOString())

const numbered = <T extends { ordinal: number }>({ ordinal, ...call }: T) => ({
  number: numberIn(ordinal),
  ...call,
})

/** A failed call's output has the reason; others' outputs have nothing for it. */
const errorText = (sql: Sql): Fragment => sql`
  case when c.state in ('failed', 'denied', 'canceled', 'unknown') then left(c.output ->> 'error', 2000) end`

const innerColumns = (sql: Sql): Fragment => sql`
  c.ordinal, c.tool, c.effect, c.risk, c.state, c.error_code as "errorCode", ${errorText(sql)} as error,
  c.approval_id as "approvalId", c.child_run_id as "childRunId",
  case when c.tool = 'write_file' and c.state = 'done' then c.output ->> 'id' end as "fileId", c.started_at as "startedAt",
  c.finished_at as "finishedAt"`

/** Of a long input, the fields that say what the call is about, such as a file's name. */
const shortInput = (sql: Sql): Fragment => sql`
  case when length(c.input::text) <= ${PROGRAM_INPUT_CHARACTERS} then c.input when jsonb_typeof(c.input) = 'object' then (
    select jsonb_object_agg(f.key, f.value) from jsonb_each(c.input) f
    where length(f.value::text) <= ${PROGRAM_FIELD_CHARACTERS}) end`

/** The first calls of each program and those that aren't done, so one with many doesn't slow down its run's page. */
export const listPrograms = (sql: Sql, orgId: string, runId: string) => sql<ProgramView[]>`
  select p.step, p.ordinal, coalesce(p.console, '[]') as console, (
    select count(*)::int from run_calls c where c.org_id = ${orgId} and c.run_id = ${runId} and c.step = p.step
      and c.ordinal between p.ordinal * 1000000 and p.ordinal * 1000000 + 999999) as "callCount", coalesce((
    select json_agg(i order by i.ordinal) from (
      select ${innerColumns(sql)}, ${shortInput(sql)} as input
      from run_calls c where c.org_id = ${orgId} and c.run_id = ${runId} and c.step = p.step
        and c.ordinal between p.ordinal * 1000000 and p.ordinal * 1000000 + 999999
        and (c.ordinal <= p.ordinal * 1000000 + ${PROGRAM_CALLS_SHOWN} or c.state <> 'done')
      order by c.ordinal limit ${2 * PROGRAM_CALLS_SHOWN}
    ) i), '[]') as calls
  from run_calls p
  where p.org_id = ${orgId} and p.run_id = ${runId} and p.tool = 'run_code' and p.parent is null`

type StoredCall = Omit<z.output<typeof ProgramCall>, 'number'> & { ordinal: number }

export async function listProgramCalls(
  ctx: Context,
  { id, n, ordinal, after, limit }: InputOf<typeof agentRuns.programCalls>,
) {
  const { orgId } = await findAgentRun(ctx, id)
  const rows = await ctx.sql<StoredCall[]>`
    select ${innerColumns(ctx.sql)}, c.input, c.output, c.output_file_id as "outputFileId" from run_calls c
    where c.org_id = ${orgId} and c.run_id = ${id} and c.step = ${n} and c.parent = ${ordinal}
      and c.ordinal > ${ordinalIn(ordinal, after)} and c.ordinal < ${ordinalIn(ordinal + 1, 0)}
    order by c.ordinal limit ${limit + 1}`
  return { items: rows.slice(0, limit).map(numbered), hasMore: rows.length > limit }
}
