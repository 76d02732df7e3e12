import type { Logger } from 'pino'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { append, LeaseLost } from '../engine/lease.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { lowerTrust } from '../engine/trust.ts'
import type { InvokeTool, RunTool, ToolCall } from '../tools/run-tool.ts'
import { type CallOutcome, type CallRow, endCall, startCall } from './call-queries.ts'
import { finishedEvent, UNKNOWN_OUTPUT } from './end-calls.ts'
import { fitOutput, type Overflow } from './output.ts'
import { shortened } from './overflow.ts'

export interface CallEnvironment {
  ctx: JobContext
  run: EngineRun
  tools: ReadonlyMap<string, RunTool>
  /** Endpoints with the present rights of the person or key that started the run. */
  invokeOn: (sql: Sql) => InvokeTool
  /** Stores an output that is too large for a message, and returns what the model gets instead. */
  storeOverflow: (call: CallRow, overflow: Overflow) => Promise<CallOutcome>
  signal: AbortSignal
  log: Logger
}

/** Runs one call to its end. What happens after a crash depends on the effect of the tool. */
export async function callTool(env: CallEnvironment, call: CallRow): Promise<void> {
  const tool = env.tools.get(call.tool)
  if (!tool) return finish(env, call, failed('unknown_tool', `There is no tool ${call.tool}`))
  const input = tool.input.safeParse(call.input)
  if (!input.success) return finish(env, call, failed('invalid_input', input.error.message))
  if (call.effect === 'transaction') return inOneTransaction(env, call, tool, input.data)
  if (call.effect === 'once' && call.state === 'running')
    return finish(env, call, { state: 'unknown', output: UNKNOWN_OUTPUT, errorCode: 'unknown' })
  // A canceled run starts no further call; what is open ends with the run.
  if (!(await start(env, call))) return
  await finish(env, call, await attempt(env, call, tool, input.data))
}

/** The change and the result of the call commit together, so the call happens exactly once. */
async function inOneTransaction(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  input: never,
): Promise<void> {
  const { ctx, run } = env
  try {
    await ctx.transaction(async (inside) => {
      const now = ctx.now()
      const { isCancelRequested } = await append(inside.sql, run, [], now)
      if (isCancelRequested) return
      await append(inside.sql, run, [startedEvent(call)], now)
      const output = await tool.run(callOf(env, call, inside.sql), input)
      const fitted = fitOutput(output)
      // The bytes of a file are stored outside of the transaction, so there is none for this output.
      const outcome: CallOutcome = {
        state: 'done',
        output: fitted.overflow ? shortened(fitted.overflow) : fitted.output,
      }
      await endCall(inside.sql, run, call, outcome, ctx.now(), now)
      if (isFromOutside(tool, outcome)) await lowerTrust(inside.sql, run, 'untrusted')
      await append(inside.sql, run, [finishedEvent(call, outcome)], now)
    })
  } catch (error) {
    await finish(env, call, outcomeOf(env, call, error))
  }
}

async function attempt(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  input: never,
): Promise<CallOutcome> {
  try {
    const fitted = fitOutput(await tool.run(callOf(env, call, env.ctx.sql), input))
    return fitted.overflow
      ? await env.storeOverflow(call, fitted.overflow)
      : { state: 'done', output: fitted.output }
  } catch (error) {
    const mayHaveHappened = call.effect === 'once' || call.effect === 'idempotent'
    if (env.signal.aborted && mayHaveHappened)
      return { state: 'unknown', output: UNKNOWN_OUTPUT, errorCode: 'unknown' }
    return outcomeOf(env, call, error)
  }
}

const callOf = (env: CallEnvironment, { step, ordinal }: CallRow, sql: Sql): ToolCall => ({
  run: env.run,
  sql,
  invoke: env.invokeOn(sql),
  outbound: env.ctx.outbound,
  signal: env.signal,
  idempotencyKey: `${env.run.id}:${step}:${ordinal}`,
})

const start = ({ ctx, run }: CallEnvironment, call: CallRow) =>
  ctx.transaction(async ({ sql }) => {
    const { isCancelRequested } = await append(sql, run, [], ctx.now())
    if (isCancelRequested) return false
    await append(sql, run, [startedEvent(call)], ctx.now())
    await startCall(sql, run, call, ctx.now())
    return true
  })

const finish = ({ ctx, run, tools }: CallEnvironment, call: CallRow, outcome: CallOutcome) =>
  ctx.transaction(async (inside) => {
    await append(inside.sql, run, [finishedEvent(call, outcome)], ctx.now())
    await endCall(inside.sql, run, call, outcome, ctx.now())
    if (isFromOutside(tools.get(call.tool), outcome)) await lowerTrust(inside.sql, run, 'untrusted')
  })

function isFromOutside(tool: RunTool | undefined, { state, output }: CallOutcome): boolean {
  if (state !== 'done' || !tool?.isOutside) return false
  return tool.isOutside === true || tool.isOutside(output)
}

const startedEvent = (call: CallRow) => ({
  type: 'tool.started' as const,
  data: { n: call.step, ordinal: call.ordinal, callId: call.callId, tool: call.tool },
})

/** An error as the result of the call: the model can act on it, and the run goes on. */
function outcomeOf({ log }: CallEnvironment, { tool }: CallRow, error: unknown): CallOutcome {
  if (error instanceof LeaseLost) throw error
  if (error instanceof ApiError) return failed(error.code.toLowerCase(), error.message, error.details)
  log.error({ err: error, tool }, 'a tool call failed')
  return failed('internal', 'The server could not run this tool')
}

const failed = (errorCode: string, error: string, details?: unknown): CallOutcome => ({
  state: 'failed',
  output: details === undefined ? { error } : { error, details },
  errorCode,
})
