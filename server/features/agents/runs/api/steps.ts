import type { z } from 'zod'
import type { AgentCall, AgentStep, agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { PromptContext } from '../state/prompt.ts'
import { listPrograms, type ProgramView, programOf } from './programs.ts'
import { findAgentRun } from './run-queries.ts'

/** Calls belong to the attempt that finished, guardrail matches to the last one. */
export async function readSteps(ctx: Context, { id }: InputOf<typeof agentRuns.steps>) {
  const { orgId } = await findAgentRun(ctx, id)
  const [steps, calls, matches, descriptions, programs] = await Promise.all([
    listSteps(ctx.sql, orgId, id),
    listCalls(ctx.sql, orgId, id),
    listMatches(ctx.sql, orgId, id),
    listDescriptions(ctx.sql, orgId, id),
    listPrograms(ctx.sql, orgId, id),
  ])
  const isLast = (index: number) => steps[index]!.n !== steps[index + 1]?.n
  return {
    items: steps.map((step, index) =>
      present(step, calls, programs, isLast(index) ? matches : [], descriptions),
    ),
  }
}

const present = (
  { cost, ...step }: StepView,
  calls: readonly CallView[],
  programs: readonly ProgramView[],
  matches: readonly MatchView[],
  descriptions: readonly DescriptionView[],
): z.output<typeof AgentStep> => ({
  ...step,
  cost: cost === null ? null : { amount: cost, currency: 'USD' },
  calls:
    step.state === 'done' && step.kind === 'answer'
      ? calls.filter((call) => call.step === step.n).map((call) => presentCall(call, programs))
      : [],
  guardrails: matches.filter((match) => match.step === step.n).map(withoutStep),
  descriptions: descriptions
    .filter((description) => description.step === step.n && description.attempt === step.attempt)
    .map(({ model, cost }) => ({ model, cost: cost === null ? null : { amount: cost, currency: 'USD' } })),
})

/** A message's images have sizes, which only estimates need. */
const presentCall = (
  { images, cost, ...call }: CallView,
  programs: readonly ProgramView[],
): z.output<typeof AgentCall> => ({
  ...withoutStep(call),
  program: programOf(call, programs),
  cost: cost === null ? null : { amount: cost, currency: 'USD' },
  images: images.map(({ fileId, version, page }) => ({
    fileId,
    version,
    ...(page !== undefined && { page }),
  })),
})

const withoutStep = <T extends { step: number }>({ step: _step, ...rest }: T) => rest

type StepView = Omit<z.output<typeof AgentStep>, 'calls' | 'cost' | 'guardrails' | 'descriptions'> & {
  cost: string | null
}
type CallView = Omit<z.output<typeof AgentCall>, 'cost' | 'program'> & { step: number; cost: string | null }
type MatchView = z.output<typeof AgentStep>['guardrails'][number] & { step: number }
interface DescriptionView {
  step: number
  attempt: number
  model: string
  cost: string | null
}

/** An attempt without an answer has its events' text, which the sweep deletes some days after the run. */
const listSteps = (sql: Sql, orgId: string, runId: string) => sql<StepView[]>`
  select s.n, s.attempt, s.kind, s.state, s.model, s.finish, s.usage, s.cost, s.error_code as "errorCode", s.error,
    s.started_at as "startedAt", s.first_token_at as "firstTokenAt", s.finished_at as "finishedAt",
    coalesce(case when s.content is not null then (
      select string_agg(part ->> 'text', '') from jsonb_path_query(s.content, '$[*].content[*]') part
      where part ->> 'type' = 'text')
    else (
      select string_agg(e.data ->> 'text', '' order by e.seq) from run_events e
      where e.org_id = s.org_id and e.run_id = s.run_id and e.type = 'text'
        and (e.data ->> 'n')::int = s.n and (e.data ->> 'attempt')::int = s.attempt) end, '') as text
  from run_steps s where s.org_id = ${orgId} and s.run_id = ${runId} order by s.n, s.attempt`

const listCalls = (sql: Sql, orgId: string, runId: string) => sql<CallView[]>`
  select c.step, c.ordinal, c.call_id as "callId", c.tool, c.input, c.effect, c.risk, c.state, c.attempts, c.output,
    c.output_file_id as "outputFileId", coalesce(c.images, '[]') as images, c.error_code as "errorCode",
    c.approval_id as "approvalId", c.child_run_id as "childRunId", u.cost, c.started_at as "startedAt",
    c.finished_at as "finishedAt"
  from run_calls c left join usage u on u.org_id = c.org_id and u.run_id = c.run_id and u.step = c.step
    and u.attempt = 1 and u.kind = 'search' and u.call_ordinal = c.ordinal and u.payment_id is null
  where c.org_id = ${orgId} and c.run_id = ${runId} and c.parent is null order by c.step, c.ordinal`

const listMatches = (sql: Sql, orgId: string, runId: string) => sql<MatchView[]>`
  select step, call_id as "callId", guardrail_id as "guardrailId", name, stage, action, labels
  from guardrail_matches where org_id = ${orgId} and run_id = ${runId} order by id`

const listDescriptions = (sql: Sql, orgId: string, runId: string) => sql<DescriptionView[]>`
  select step, attempt, model, cost from usage
  where org_id = ${orgId} and run_id = ${runId} and kind = 'description' order by step, attempt, at, id`

interface AttemptView {
  n: number
  attempt: number
  model: string
  context: PromptContext
}

/** Without `attempt`, finds the last one. */
export async function findAttempt(
  sql: Sql,
  orgId: string,
  runId: string,
  n: number,
  attempt: number | null,
): Promise<AttemptView | null> {
  const [row] = await sql<AttemptView[]>`
    select n, attempt, model, context from run_steps
    where org_id = ${orgId} and run_id = ${runId} and n = ${n} and kind = 'answer' and context is not null
      and (${attempt}::int is null or attempt = ${attempt})
    order by attempt desc limit 1`
  return row ?? null
}
