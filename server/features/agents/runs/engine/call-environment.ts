import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { InvokeTool } from '../../../../tools/tool.ts'
import type { CallEnvironment } from '../calls/call-tool.ts'
import { startChild } from '../children/start-child.ts'
import { recordMatches } from '../screening/screening.ts'
import { accessLost } from '../state/errors.ts'
import { findRunCaller } from '../state/run-caller.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunAgentInput } from '../tools/run-agent.ts'
import type { Engine } from './engine.ts'
import type { StepState } from './step-state.ts'

export async function callEnvironment(
  engine: Engine,
  ctx: JobContext<'hooks' | 'outbound'>,
  state: StepState,
): Promise<Omit<CallEnvironment, 'signal' | 'heldCalls'>> {
  const { run, last } = state
  const agent = await engine.agentOf(ctx, run)
  return {
    ctx,
    run,
    screening: await engine.screeningOf(ctx, state, agent, last!),
    recordMatches: (sql, { step, callId }, matched) =>
      recordMatches(engine, sql, run, { step, callId, stage: 'tool' }, matched, ctx.now()),
    // The endpoint checks mandates and numbers again.
    tools: engine.toolsOf(run, { ...agent, canPay: true, hasNumber: true }),
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
