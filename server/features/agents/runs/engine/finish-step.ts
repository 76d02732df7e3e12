import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import { newId } from '../../../../security/ids.ts'
import {
  type Citation,
  hasQueued,
  insertMessage,
  type MessagePart,
} from '../../conversations/conversations.ts'
import { listGrants, requestApprovals } from '../calls/approval-queries.ts'
import { insertCalls } from '../calls/call-queries.ts'
import { findKnownUrls } from '../calls/known-urls.ts'
import { findNamedHosts } from '../calls/named-hosts.ts'
import { findCoveredCalls, planCalls } from '../calls/plan-calls.ts'
import { reportApprovals } from '../children/report.ts'
import { lockAncestors } from '../children/tree-queries.ts'
import { citeAnswer } from '../citations/cite.ts'
import { withSigner } from '../context/model-messages.ts'
import { checkAnswer } from '../results/check-answer.ts'
import type { Answer } from '../state/answer.ts'
import { append, lockLeasedRun, resultsAfterLock } from '../state/lease.ts'
import type { Prompt, RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import { endAttempt, type StepNumber } from '../state/step-queries.ts'
import { recordAnswer } from '../usage/record-usage.ts'
import { messageEvent } from './attempts.ts'
import { endOf, requestCorrection } from './end-answered.ts'
import type { Engine } from './engine.ts'
import { endRun, type StepEnd, settle } from './settle.ts'
import { readState, type StepState } from './step-state.ts'

export interface FinishedAttempt {
  step: StepNumber
  answer: Answer
  prompt: Prompt
  /** Null if unknown. */
  pricing: Pricing | null
  isReserved: boolean
}

/** One transaction: the message, its calls, its cost, the run's end. */
export async function finishStep(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  attempt: FinishedAttempt,
): Promise<StepEnd | StepState> {
  const { answer, citations, unknown } = await citeAnswer(ctx.sql, run, attempt.answer)
  engine.metrics.cited({ given: citations.length, unknown })
  const finished = { ...attempt, answer, citations }
  const checked = answer.calls.length === 0 ? checkAnswer(run, answer) : null
  return ctx.transaction(async (inside) => {
    const now = ctx.now()
    const { sql } = inside
    const { step } = finished
    const { locked, results } = await resultsAfterLock(lockLeasedRun(sql, run), [
      mayReport(run, answer) && lockAncestors(sql, run),
      storeAnswer(sql, run, finished, now),
      answer.calls.length > 0 ? listGrants(sql, run) : [],
      answer.calls.length === 0 && hasQueued(sql, run.orgId, run.sessionId),
    ])
    const [, stored, grants, isQueued] = results
    const events = [...answer.unwrittenEvents, ...stored]
    if (answer.calls.length > 0) {
      const current = { ...run, trust: locked.trust }
      const tools = engine.toolsOf(run, agent)
      const covered = await findCoveredCalls(sql, current, tools, answer, now)
      const namedHosts = await findNamedHosts(sql, current, agent, tools, answer)
      const knownUrls = await findKnownUrls(sql, current, tools, answer)
      const targets = { namedHosts, knownUrls }
      const planned = planCalls(tools, current, agent, step.n, answer, grants, covered, targets, now)
      const needsApproval = planned.approvals.length > 0
      // In this order, the calls' state is read after the changes without an extra round trip.
      const inserted = insertCalls(sql, run, planned.calls, now).execute()
      const [, , state] = await Promise.all([
        append(sql, run, [...events, ...planned.events], now, { isSuccess: true }),
        inserted,
        needsApproval ? null : readState(sql, run, now),
      ])
      if (needsApproval) await requestApprovals(sql, run, planned.approvals, now)
      await reportApprovals(sql, run, planned.events, now)
      return state ?? 'next'
    }
    if (!isQueued && !locked.isCancelRequested) {
      const end = endOf(run, checked)
      if (end) return endRun(sql, run, end, events, now)
      await requestCorrection(sql, run, { step: step.n, checked, events }, now)
      return 'next'
    }
    await append(sql, run, events, now, { isSuccess: true })
    return locked.isCancelRequested ? settle(engine, inside, run, { status: 'canceled' }) : 'next'
  })
}

/** Its end, or to calling runs the approvals for its calls. */
const mayReport = ({ parentRunId, parentStep }: EngineRun, { calls }: Answer): boolean =>
  parentRunId !== null && (calls.length === 0 || parentStep !== null)

interface CitedAttempt extends FinishedAttempt {
  citations: Citation[]
}

/** Returns the events to report it. */
async function storeAnswer(
  sql: Sql,
  run: EngineRun,
  { step, answer, citations, prompt, ...charge }: CitedAttempt,
  now: Date,
): Promise<RunEvent[]> {
  const { cost, recorded } = recordAnswer(
    sql,
    run,
    { ...step, model: run.model },
    answer,
    prompt,
    charge,
    now,
  )
  const { messages, finish, usage, firstTokenAt } = answer
  const end = { content: messages, finish, usage, cost, firstTokenAt, errorCode: null, error: null, now }
  const [message] = await Promise.all([
    storeMessage(sql, run, step, { answer, citations }, now),
    endAttempt(sql, run, { ...step, state: 'done', ...end }),
    recorded,
  ])
  return [...message, finishedEvent(step, { answer, citations }, cost)]
}

/** An empty answer is no message. */
async function storeMessage(
  sql: Sql,
  run: EngineRun,
  step: StepNumber,
  { answer, citations }: Pick<CitedAttempt, 'answer' | 'citations'>,
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
      content: withSigner(content, run.model),
      body: answer.text,
      citations,
      trust: run.trust,
      state: 'sent',
      isContinued: answer.calls.length > 0,
    },
    now,
  )
  return message ? [messageEvent(message)] : []
}

const finishedEvent = (
  step: StepNumber,
  { answer: { finish, usage }, citations }: Pick<CitedAttempt, 'answer' | 'citations'>,
  cost: string | null,
): RunEvent => ({
  type: 'step.finished',
  data: {
    ...step,
    state: 'done',
    finish,
    usage: usage && { inputTokens: usage.input, outputTokens: usage.output },
    cost,
    errorCode: null,
    ...(citations.length > 0 && { citations }),
  },
})
