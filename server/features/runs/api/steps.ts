import type { z } from 'zod'
import type { AgentStep, agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { findAgentRun } from './run-queries.ts'
import { type CallView, listCalls, listSteps, type StepView } from './step-queries.ts'

/** Every attempt of every step; the calls belong to the attempt that finished. */
export async function readSteps(ctx: Context, { id }: InputOf<typeof agentRuns.steps>) {
  const { orgId } = await findAgentRun(ctx, id)
  const [steps, calls] = await Promise.all([listSteps(ctx.sql, orgId, id), listCalls(ctx.sql, orgId, id)])
  return { items: steps.map((step) => present(step, calls)) }
}

const present = ({ cost, ...step }: StepView, calls: readonly CallView[]): z.output<typeof AgentStep> => ({
  ...step,
  cost: cost === null ? null : { amount: cost, currency: 'USD' },
  calls:
    step.state === 'done' && step.kind === 'answer'
      ? calls.filter((call) => call.step === step.n).map(withoutStep)
      : [],
})

const withoutStep = ({ step: _step, ...call }: CallView) => call
