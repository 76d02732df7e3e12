import type { JobContext } from '../../../context.ts'
import { streamCall } from '../../../models/stream-call.ts'
import { newId } from '../../../security/ids.ts'
import { foldQueued, insertMessage, lockSession } from '../../sessions/sessions.ts'
import { storeResults } from '../calls/store-results.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import { type Answer, collectAnswer } from './answer.ts'
import { CANCELED, createDeltaWriter } from './delta-writer.ts'
import type { Engine, Prompt, RunAgent } from './engine.ts'
import { finishStep } from './finish-step.ts'
import { append } from './lease.ts'
import { handleFailure } from './provider-failure.ts'
import type { EngineRun } from './run-row.ts'
import { settle } from './settle.ts'
import { insertAttempt, interruptAttempts, type StepNumber } from './step-queries.ts'

/** One model call: stores what arrives while it arrives, and everything that follows from it in one transaction. */
export async function askModel(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
): Promise<void> {
  const agent = await engine.agentOf(ctx.sql, run)
  const found = await engine.models.find(run.orgId, run.model)
  if (found.kind === 'unknown')
    return settle(ctx, run, { status: 'failed', code: 'unknown_model', detail: found.reason })
  const prompt = await begin(engine, ctx, run, agent, step)
  const answer = await stream(ctx, run, step, found.model, prompt, agent)
  if (answer.stopped === CANCELED) return finishCanceled(engine, ctx, run, step, answer)
  if (answer.stopped) throw answer.stopped
  if (answer.failure) return handleFailure(engine, ctx, run, agent, step, answer)
  return finishStep(engine, ctx, run, agent, step, answer)
}

/** Opens the attempt: earlier ones that were cut off end, and messages that were sent since join the conversation. */
async function begin(engine: Engine, ctx: JobContext, run: EngineRun, agent: RunAgent, step: StepNumber) {
  return ctx.transaction(async (inside) => {
    const now = ctx.now()
    const { sql } = inside
    await lockSession(sql, run.orgId, run.sessionId)
    await append(sql, run, [{ type: 'step.started', data: { ...step, model: run.model } }], now)
    for (const cutOff of await interruptAttempts(sql, run, step.n, now))
      await recordInterrupted(sql, run, engine, { n: step.n, ...cutOff }, now)
    if (step.n > 1) await storeResults(sql, run, step.n - 1, now)
    const folded = await foldQueued(sql, run.orgId, run.sessionId, run.id)
    if (folded.length > 0)
      await append(
        sql,
        run,
        folded.map(({ id, seq, role }) => ({ type: 'message', data: { messageId: id, seq, role } })),
        now,
      )
    const prompt = await engine.promptOf(sql, run, agent)
    await insertAttempt(sql, run, { ...step, model: run.model, context: prompt.context, now })
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
    append: (events) => append(ctx.sql, run, events, ctx.now()),
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
  const answer = await collectAnswer(events, writer, ctx.now)
  await writer.end()
  return { ...answer, stopped }
}

const reasoningOptions = ({ reasoning }: RunAgent) =>
  reasoning === 'off' ? {} : { providerOptions: { openai: { reasoningEffort: reasoning } } }

async function finishCanceled(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  answer: Answer,
) {
  await ctx.transaction(async (inside) => {
    const now = ctx.now()
    await lockSession(inside.sql, run.orgId, run.sessionId)
    await append(inside.sql, run, [], now)
    for (const cutOff of await interruptAttempts(inside.sql, run, step.n, now))
      await recordInterrupted(inside.sql, run, engine, { n: step.n, ...cutOff }, now)
    if (answer.text) await keepPartialText(inside.sql, run, step, answer.text, now)
  })
  await settle(ctx, run, { status: 'canceled' })
}

/** What a reader saw of a canceled answer stays in the conversation. */
async function keepPartialText(
  sql: JobContext['sql'],
  run: EngineRun,
  step: StepNumber,
  text: string,
  now: Date,
): Promise<void> {
  await insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'assistant',
      runId: run.id,
      step: step.n,
      authorId: null,
      content: [{ type: 'text', text }],
      body: text,
      trust: run.trust,
      state: 'sent',
    },
    now,
  )
}
