import type { z } from 'zod'
import type { AgentStep, agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { findAgentRun } from './run-queries.ts'
import {
  type CallView,
  listCalls,
  listMatches,
  listSteps,
  type MatchView,
  type StepView,
} from './step-queries.ts'

/**
 * Every attempt of every step; the calls belong to the attempt that finished, the matches of guardrails to the last
 * one.
 */
export async function readSteps(ctx: Context, { id }: InputOf<typeof agentRuns.steps>) {
  const { orgId } = await findAgentRun(ctx, id)
  const [steps, calls, matches] = await Promise.all([
    listSteps(ctx.sql, orgId, id),
    listCalls(ctx.sql, orgId, id),
    listMatches(ctx.sql, orgId, id),
  ])
  const isLast = (index: number) => steps[index]!.n !== steps[index + 1]?.n
  return { items: steps.map((step, index) => present(step, calls, isLast(index) ? matches : [])) }
}

const present = (
  { cost, ...step }: StepView,
  calls: readonly CallView[],
  matches: readonly MatchView[],
): z.output<typeof AgentStep> => ({
  ...step,
  cost: cost === null ? null : { amount: cost, currency: 'USD' },
  calls:
    step.state === 'done' && step.kind === 'answer'
      ? calls.filter((call) => call.step === step.n).map(withoutStep)
      : [],
  guardrails: matches.filter((match) => match.step === step.n).map(withoutStep),
})

const withoutStep = <T extends { step: number }>({ step: _step, ...rest }: T) => rest
