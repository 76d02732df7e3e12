import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { InvokeTool } from '../../../../tools/tool.ts'
import { withDefaults } from '../../../organizations/settings/settings.ts'
import type { CallEnvironment } from '../calls/call-tool.ts'
import { startChild } from '../children/start-child.ts'
import { HELPER_TOOLS } from '../code/helper-tools.ts'
import type { RunCodeInput } from '../code/run-code.ts'
import { programTools } from '../code/run-code.ts'
import { runProgram } from '../code/run-program.ts'
import { recordMatches } from '../screening/screening.ts'
import { accessLost } from '../state/errors.ts'
import type { RunAgent } from '../state/prompt.ts'
import { findRunCaller, mayPay } from '../state/run-caller.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import type { RunAgentInput } from '../tools/run-agent.ts'
import type { Engine } from './engine.ts'
import type { StepState } from './step-state.ts'

export async function callEnvironment(
  engine: Engine,
  ctx: JobContext<'hooks' | 'outbound'>,
  state: StepState,
): Promise<Omit<CallEnvironment, 'signal' | 'heldCalls'>> {
  const { run, last } = state
  const { approvals: orgApprovals } = withDefaults(state.policy)
  const canPay = state.hasMandate && mayPay(state.rights!)
  const agent: RunAgent = { ...(await engine.agentOf(ctx, run)), orgApprovals, canPay }
  const withHelpers = (tools: ReadonlyMap<string, RunTool>) => new Map([...HELPER_TOOLS, ...tools])
  return {
    ctx,
    run,
    screening: await engine.screeningOf(ctx, state, agent, last!),
    recordMatches: (sql, { step, callId }, matched) =>
      recordMatches(engine, sql, run, { step, callId, stage: 'tool' }, matched, ctx.now()),
    // The endpoint checks mandates and numbers again.
    tools: withHelpers(engine.toolsOf(run, { ...agent, canPay: true, hasNumber: true })),
    runProgram: (env, call, input) => {
      const tools = withHelpers(programTools(engine.toolsOf(run, agent)))
      return runProgram(env, call, input as RunCodeInput, { agent, tools })
    },
    web: { ...engine.web, domains: agent.web },
    knowledge: agent.knowledge,
    invokeOn: (sql) => invokeAs(engine, ctx, run, sql),
    storeOverflow: (call, overflow) =>
      engine.storeOverflow(invokeAs(engine, ctx, run, ctx.sql), run, call, overflow),
    prepareChild: async (call, input) => {
      const choices = await engine.models.choices(run.orgId)
      return (sql) => startChild(choices, ctx, sql, run, call, input as RunAgentInput)
    },
    log: engine.log,
  }
}

/** Read per call: if the user loses access, the run stops at its next call. */
const invokeAs =
  (engine: Engine, ctx: JobContext, run: EngineRun, sql: Sql): InvokeTool =>
  async (name, { params = {}, query = {}, body, form, idempotencyKey }) => {
    const caller = await findRunCaller(sql, run)
    if (!caller) throw accessLost()
    const origin = { ...ctx.origin, ip: `run ${run.id}`, userAgent: 'Atrium agent' }
    const result = await engine.invoke(name, {
      caller,
      origin,
      params,
      query,
      body,
      ...(form && { form }),
      ...(idempotencyKey && { idempotencyKey }),
      sql,
    })
    return JSON.parse(result.body)
  }
