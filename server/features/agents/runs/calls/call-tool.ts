import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isDatabaseUnavailable } from '../../../../database/pg-errors.ts'
import { recognizeFailure } from '../../../../endpoint/failures.ts'
import { isInProgress } from '../../../../endpoint/idempotency.ts'
import { ApiError } from '../../../../errors.ts'
import { contentAttribute, toolSpan } from '../../../../observability/gen-ai.ts'
import { capturesContent, currentSpan, inSpan } from '../../../../observability/tracing.ts'
import { createTextGuard, type GuardedOutput, OutsideError } from '../../../../tools/text-guard.ts'
import type { InvokeTool } from '../../../../tools/tool.ts'
import { separateImages, type ToolImage } from '../../../../tools/tool-images.ts'
import { ConnectionExpired } from '../../../connections/connections/connections.ts'
import type { RuleMatches } from '../../guardrails/guardrails.ts'
import { findOutsideBlocks, listTextOrigins } from '../context/outside-texts.ts'
import { BlockedOutput, screenOutput } from '../screening/screen-calls.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import { append, appendUnlessCanceled, LeaseLost } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool, RunToolCall, WebAccess } from '../state/run-tool.ts'
import {
  type CallOutcome,
  type CallRow,
  endCallCte,
  holdCallCte,
  startCallCte,
  updateWaitingForChild,
} from './call-queries.ts'
import { finishedEvent, startedEvent, UNKNOWN_OUTPUT } from './end-calls.ts'
import { fitOutput, type Overflow, shortenOutput } from './output.ts'

/** A longer read stores its start, so that subscribers see it. */
const SHORT_MS = 50

export interface CallEnvironment {
  ctx: JobContext<'outbound'>
  run: EngineRun
  tools: ReadonlyMap<string, RunTool>
  /** With the run's current permissions. */
  invokeOn: (sql: Sql) => InvokeTool
  web: WebAccess
  /** Ids. */
  knowledge: readonly string[]
  /** Returns the text the model gets instead. */
  storeOverflow: (call: CallRow, overflow: Overflow) => Promise<CallOutcome>
  /** The returned function starts the child in the call's transaction and returns its id. */
  prepareChild: (call: CallRow, input: unknown) => Promise<(sql: Sql) => Promise<string>>
  screening: ScreeningRules
  recordMatches: (sql: Sql, call: CallRow, matched: RuleMatches[]) => Promise<void>
  heldCalls: Set<CallRow>
  /** Runs the call's program. Its own calls come back here. */
  runProgram: (env: CallEnvironment, call: CallRow, input: unknown) => Promise<void>
  /** For programs, which read their calls' results. */
  onFinished?: (call: CallRow, outcome: CallOutcome, at: Date) => void
  signal: AbortSignal
  log: Logger
}

type AttemptOutcome = CallOutcome | ConnectionExpired

/** The tool's effect decides whether it is repeated after a crash. */
export const callTool = (env: CallEnvironment, call: CallRow): Promise<void> =>
  inSpan(
    () => toolSpan(call),
    () => runCall(env, call),
  )

async function runCall(env: CallEnvironment, call: CallRow): Promise<void> {
  const tool = env.tools.get(call.tool)
  if (!tool) return finish(env, call, failed('unknown_tool', missingToolMessage(call)))
  const input = tool.input.safeParse(call.input)
  if (!input.success) return finish(env, call, failed('invalid_input', input.error.message))
  if (tool.startsRun) return startRun(env, call, input.data)
  if (tool.runsProgram) return env.runProgram(env, call, input.data)
  if (call.effect === 'transaction') return runInOneTransaction(env, call, tool, input.data)
  if (call.effect === 'once' && call.state === 'running')
    return finish(env, call, { state: 'unknown', output: UNKNOWN_OUTPUT, errorCode: 'unknown' })
  if (call.effect === 'read') return runRead(env, call, () => attempt(env, call, tool, input.data))
  // Open calls end with the run.
  if (!(await start(env, call))) return
  await finishOrHold(env, call, await attempt(env, call, tool, input.data))
}

/** The last connection offering it was revoked. */
const missingToolMessage = ({ state, tool }: CallRow) =>
  state === 'waiting' ? `The connection for ${tool} was revoked` : `There is no tool ${tool}`

/** With an expired connection, the call was not made. The run makes it once the connection works. */
async function finishOrHold(
  env: CallEnvironment,
  call: CallRow,
  outcome: AttemptOutcome,
  startedAt?: Date,
): Promise<void> {
  if (!(outcome instanceof ConnectionExpired)) return finish(env, call, outcome, env.ctx.sql, startedAt)
  const { connectionId, message } = outcome
  const { sql, now } = env.ctx
  env.heldCalls.add(call)
  await append(sql, env.run, [], now(), { change: holdCallCte(sql, call, { connectionId, message }) })
}

/** Repeated after a crash either way. A short read stores its start with its end. */
async function runRead(
  env: CallEnvironment,
  call: CallRow,
  run: () => Promise<AttemptOutcome>,
): Promise<void> {
  const startedAt = env.ctx.now()
  const outcome = run()
  const isShort = await Promise.race([outcome.then(() => true), sleep(SHORT_MS, false, { ref: false })])
  if (isShort) return finishOrHold(env, call, await outcome, startedAt)
  await start(env, call)
  await finishOrHold(env, call, await outcome)
}

/** The change and the call's result commit together, so the call happens exactly once. */
async function runInOneTransaction(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  input: never,
): Promise<void> {
  const { ctx, run } = env
  try {
    await ctx.transaction(async (inside) => {
      const startedAt = ctx.now()
      if (!(await appendUnlessCanceled(inside.sql, run, [startedEvent(call)], startedAt))) return
      const { output, images, isOutside } = await runGuarded(env, call, tool, input, inside.sql)
      const fitted = fitOutput(await screenAndRecord(env, call, tool, output, inside.sql))
      // A file would be outside the transaction, so an oversized output is only shortened.
      const outcome: CallOutcome = {
        state: 'done',
        output: fitted.overflow ? shortenOutput(fitted.overflow) : fitted.output,
        images,
        isOutside,
      }
      await finish(env, call, outcome, inside.sql, startedAt)
    })
  } catch (error) {
    await finish(env, call, await outcomeOf(env, call, error))
  }
}

/** Commits child run and call state together, so a call starts exactly one run. */
async function startRun(env: CallEnvironment, call: CallRow, input: unknown): Promise<void> {
  const { ctx, run } = env
  try {
    const startChild = await env.prepareChild(call, input)
    await ctx.transaction(async ({ sql }) => {
      const now = ctx.now()
      if (!(await appendUnlessCanceled(sql, run, [startedEvent(call)], now))) return
      await updateWaitingForChild(sql, run, call, await startChild(sql), now)
    })
  } catch (error) {
    await finish(env, call, await outcomeOf(env, call, error))
  }
}

async function attempt(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  input: never,
): Promise<AttemptOutcome> {
  try {
    const { sql } = env.ctx
    const { output, images, isOutside } = await afterEarlierCall(env.signal, () =>
      runGuarded(env, call, tool, input, sql),
    )
    const fitted = fitOutput(await screenAndRecord(env, call, tool, output, sql))
    return fitted.overflow
      ? { ...(await env.storeOverflow(call, fitted.overflow)), images, isOutside }
      : { state: 'done', output: fitted.output, images, isOutside }
  } catch (error) {
    if (error instanceof ConnectionExpired) return error
    // The next worker repeats the call, or reports that its result is unknown.
    if (env.signal.reason instanceof LeaseLost) throw env.signal.reason
    const mayHaveHappened = call.effect === 'once' || call.effect === 'idempotent'
    if (env.signal.aborted && mayHaveHappened)
      return { state: 'unknown', output: UNKNOWN_OUTPUT, errorCode: 'unknown' }
    return outcomeOf(env, call, error)
  }
}

/** Fences untrusted text. This is the one place where tools meet the model. */
async function runGuarded(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  input: never,
  sql: Sql,
): Promise<GuardedOutput & { images: readonly ToolImage[] }> {
  const guard = createTextGuard(listTextOrigins(sql, env.run.orgId))
  const toolCall = callOf(env, call, sql)
  try {
    const result = await tool.run({ ...toolCall, invoke: guard.watch(toolCall.invoke) }, input)
    const { output, images } = separateImages(result)
    return { ...guard.fence(output), images }
  } catch (error) {
    throw guard.fenceError(error)
  }
}

export async function screenAndRecord(
  env: CallEnvironment,
  call: CallRow,
  tool: RunTool,
  output: unknown,
  sql: Sql,
) {
  const result = await screenOutput(env.screening, output, {
    isConversation: tool.isConversation === true,
    isInTransaction: call.effect === 'transaction',
  })
  await env.recordMatches(sql, call, result.matched)
  return result.output
}

const callOf = (env: CallEnvironment, { step, ordinal }: CallRow, sql: Sql): RunToolCall => ({
  run: env.run,
  orgId: env.run.orgId,
  projectId: env.run.projectId,
  runId: env.run.id,
  trust: env.run.trust,
  findOutsideBlocks: findOutsideBlocks(sql, env.run.orgId),
  sql,
  invoke: env.invokeOn(sql),
  outbound: env.ctx.outbound,
  signal: env.signal,
  web: env.web,
  knowledge: env.knowledge,
  step,
  ordinal,
  now: env.ctx.now(),
  idempotencyKey: `${env.run.id}:${step}:${ordinal}`,
})

export async function start({ ctx, run }: CallEnvironment, call: CallRow): Promise<boolean> {
  const now = ctx.now()
  const change = startCallCte(ctx.sql, call, now)
  return (await appendUnlessCanceled(ctx.sql, run, [startedEvent(call)], now, { change })) !== null
}

export async function finish(
  { ctx, run, tools, onFinished }: CallEnvironment,
  call: CallRow,
  outcome: CallOutcome,
  sql = ctx.sql,
  startedAt?: Date,
): Promise<void> {
  const now = ctx.now()
  describeCall(call, outcome)
  const trust = isFromOutside(tools.get(call.tool), outcome) ? 'untrusted' : undefined
  const change = endCallCte(sql, call, outcome, now, startedAt ?? null)
  const isStartStored = startedAt === undefined || call.effect === 'transaction'
  const events = isStartStored ? [] : [startedEvent(call)]
  await append(sql, run, [...events, finishedEvent(call, outcome)], now, { trust, change })
  onFinished?.(call, outcome, now)
}

function describeCall({ input }: CallRow, { state, errorCode, output }: CallOutcome): void {
  const span = currentSpan()
  if (state !== 'done') span?.fail(errorCode ?? state)
  if (!capturesContent()) return
  span?.set({
    ...contentAttribute('gen_ai.tool.call.arguments', input),
    ...contentAttribute('gen_ai.tool.call.result', output),
  })
}

function isFromOutside(tool: RunTool | undefined, { state, output, isOutside }: CallOutcome): boolean {
  if (isOutside) return true
  if (state !== 'done' || !tool?.isOutside) return false
  return tool.isOutside === true || tool.isOutside(output)
}

/**
 * The model can react to an error, and the run continues. If the database is down, throws, and the step is repeated.
 */
export async function outcomeOf(env: CallEnvironment, call: CallRow, thrown: unknown): Promise<CallOutcome> {
  if (thrown instanceof LeaseLost || isDatabaseUnavailable(thrown)) throw thrown
  const error = recognizeFailure(thrown) ?? thrown
  if (error instanceof BlockedOutput) await env.recordMatches(env.ctx.sql, call, error.matched)
  if (error instanceof ApiError)
    return {
      ...failed(error.code.toLowerCase(), error.message, error.details),
      isOutside: error instanceof OutsideError,
    }
  env.log.error({ err: error, tool: call.tool }, 'a tool call failed')
  return failed('internal', 'The server could not run this tool')
}

export const failed = (errorCode: string, error: string, details?: unknown): CallOutcome => ({
  state: 'failed',
  output: details === undefined ? { error } : { error, details },
  errorCode,
})

const PAUSE_MS = 100

/**
 * The run's previous worker may still be making the call under the same idempotency key. If so, waits and returns its
 * stored result. Throws when `signal` is aborted.
 */
async function afterEarlierCall<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isInProgress(error)) throw error
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
