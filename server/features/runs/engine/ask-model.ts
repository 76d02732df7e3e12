import type { JobContext } from '../../../context.ts'
import { streamCall } from '../../../models/stream-call.ts'
import { foldQueued, lockSession } from '../../sessions/sessions.ts'
import { storeResults } from '../calls/store-results.ts'
import { type Answer, collectAnswer, refusalOf } from './answer.ts'
import { endCutOff, messageEvent } from './attempts.ts'
import { CANCELED, createDeltaWriter } from './delta-writer.ts'
import type { Engine, Prompt, RunAgent } from './engine.ts'
import { finishStep } from './finish-step.ts'
import { append } from './lease.ts'
import { handleFailure, tryNextModel } from './provider-failure.ts'
import type { EngineRun } from './run-row.ts'
import { settle, timeLimit } from './settle.ts'
import { insertAttempt, type StepNumber } from './step-queries.ts'
import { lowerTrust, lowestOf } from './trust.ts'

/** The run reached its limit of minutes during a model call. */
const OUT_OF_TIME = Symbol('out of time')

/** One model call: stores what arrives while it arrives, and everything that follows from it in one transaction. */
export async function askModel(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
): Promise<void> {
  const agent = await engine.agentOf(ctx.sql, run)
  const found = await engine.models.find(run.orgId, run.model)
  if (found.kind === 'unknown') return tryNextModel(engine, ctx, run, agent, found.reason)
  const prompt = await begin(engine, ctx, run, agent, step)
  const answer = await stream(ctx, run, step, found.model, prompt, agent)
  if (answer.stopped === CANCELED) return settle(engine, ctx, run, { status: 'canceled' })
  if (answer.stopped === OUT_OF_TIME) return settle(engine, ctx, run, timeLimit(run))
  if (answer.stopped) throw answer.stopped
  const failure = answer.failure ?? refusalOf(answer)
  if (failure) return handleFailure(engine, ctx, run, agent, { ...step, failure, answer, prompt })
  return finishStep(engine, ctx, run, agent, step, answer, prompt)
}

/** Opens the attempt: earlier ones that were cut off end, and messages that were sent since join the conversation. */
async function begin(engine: Engine, ctx: JobContext, run: EngineRun, agent: RunAgent, step: StepNumber) {
  return ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    await lockSession(sql, run.orgId, run.sessionId)
    await append(sql, run, [{ type: 'step.started', data: { ...step, model: run.model } }], now)
    await endCutOff(sql, run, engine, step.n, now)
    if (step.n > 1) await storeResults(sql, run, step.n - 1, now)
    const folded = await foldQueued(sql, run.orgId, run.sessionId, run.id)
    await lowerTrust(sql, run, lowestOf(folded.map(({ trust }) => trust)))
    if (folded.length > 0) await append(sql, run, folded.map(messageEvent), now)
    const prompt = await engine.promptOf(sql, run, agent)
    await insertAttempt(sql, run, {
      ...step,
      kind: 'answer',
      model: run.model,
      context: prompt.context,
      now,
    })
    return prompt
  })
}

async function stream(
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  model: Parameters<typeof streamCall>[0]['model'],
  prompt: Prompt,
  agent: RunAgent,
): Promise<Answer> {
  const abort = new AbortController()
  let stopped: unknown
  const writer = createDeltaWriter({
    step,
    append: async (events) => {
      const appended = await append(ctx.sql, run, events, ctx.now())
      if (ctx.now() > new Date(run.deadlineAt)) throw OUT_OF_TIME
      return appended
    },
    onStop: (reason) => {
      stopped = reason
      abort.abort()
    },
  })
  const { system, messages, tools } = prompt
  const events = streamCall({
    model,
    system,
    messages,
    tools,
    signal: abort.signal,
    ...reasoningOptions(agent),
  })
  try {
    const answer = await collectAnswer(events, writer, ctx.now)
    await writer.end()
    return { ...answer, stopped }
  } finally {
    // Without an end, the writer would renew the lease for ever.
    writer.stop()
    abort.abort()
  }
}

const reasoningOptions = ({ reasoning }: RunAgent) =>
  reasoning === 'off' ? {} : { providerOptions: { openai: { reasoningEffort: reasoning } } }
