import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { hasQueued, insertMessage, lockSession, type MessagePart } from '../../sessions/sessions.ts'
import type { Answer } from '../answers/answer.ts'
import { listGrants } from '../approvals/approval-queries.ts'
import { requestApprovals } from '../approvals/request.ts'
import { insertCalls } from '../calls/call-queries.ts'
import { planCalls } from '../calls/plan-calls.ts'
import { recordAnswer } from '../usage/record-usage.ts'
import { messageEvent } from './attempts.ts'
import type { Engine, Prompt, RunAgent } from './engine.ts'
import { append } from './lease.ts'
import type { EngineRun } from './run-row.ts'
import { enqueueStep, settle } from './settle.ts'
import { endAttempt, type StepNumber } from './step-queries.ts'

/** Everything that follows from a complete answer, in one transaction: the message, its calls, its cost, the next job. */
export const finishStep = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  step: StepNumber,
  answer: Answer,
  prompt: Prompt,
) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const { sql } = inside
    await lockSession(sql, run.orgId, run.sessionId)
    // The lease is checked first: a worker that lost it stops here, before a row of its own collides with another.
    await append(sql, run, [], now)
    const grants = await listGrants(sql, run)
    const { calls, approvals, events } = planCalls(
      engine.toolsOf(run, agent),
      run,
      agent,
      step.n,
      answer,
      grants,
      now,
    )
    const attempt = { ...step, model: run.model }
    const cost = await recordAnswer(sql, run, engine, attempt, answer, prompt, now)
    await endAttempt(sql, run, {
      ...step,
      state: 'done',
      content: answer.messages,
      finish: answer.finish,
      usage: answer.usage,
      cost,
      errorCode: null,
      error: null,
      firstTokenAt: answer.firstTokenAt,
      now,
    })
    if (calls.length > 0) await insertCalls(sql, run, calls, now)
    if (approvals.length > 0) await requestApprovals(sql, run, approvals, now)
    const message = await storeMessage(sql, run, step, answer, now)
    await append(sql, run, [...message, finishedEvent(step, answer, cost), ...events], now)
    await sql`
      update runs set provider_failures = 0, retry_since = null, faults = 0
      where org_id = ${run.orgId} and id = ${run.id} and (provider_failures > 0 or faults > 0)`
    const isEnd = calls.length === 0 && !(await hasQueued(sql, run.orgId, run.sessionId))
    if (isEnd) await settle(engine, inside, run, { status: 'succeeded' })
    else await enqueueStep(sql, run, now)
  })

/** The answer as the model returns it; an empty one is no message. */
async function storeMessage(
  sql: Sql,
  run: EngineRun,
  step: StepNumber,
  answer: Answer,
  now: Date,
): Promise<RunEvent[]> {
  const content = answer.messages.flatMap((message): MessagePart[] => {
    if (message.role !== 'assistant') return []
    if (typeof message.content === 'string') return [{ type: 'text', text: message.content }]
    return message.content as MessagePart[]
  })
  if (content.length === 0) return []
  const message = await insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'assistant',
      runId: run.id,
      step: step.n,
      authorId: null,
      content,
      body: answer.text,
      trust: run.trust,
      state: 'sent',
    },
    now,
  )
  return message ? [messageEvent(message)] : []
}

const finishedEvent = (step: StepNumber, { finish, usage }: Answer, cost: string | null): RunEvent => ({
  type: 'step.finished',
  data: {
    ...step,
    state: 'done',
    finish,
    usage: usage && { inputTokens: usage.input, outputTokens: usage.output },
    cost,
    errorCode: null,
  },
})
