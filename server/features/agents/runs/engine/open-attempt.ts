import type { JobContext } from '../../../../context.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import { type AdditionalCall, lockSpending, reserveCall } from '../../../billing/budgets/budgets.ts'
import { joinQueued } from '../../conversations/conversations.ts'
import { endReadsCte } from '../calls/call-queries.ts'
import { eventsOfReads } from '../calls/ended-reads.ts'
import { insertResults } from '../calls/store-results.ts'
import { refuseStep } from '../usage/refuse-step.ts'
import { endInterrupted, messageEvent } from './attempts.ts'
import type { Engine, Prompt, RunAgent, Window } from './engine.ts'
import { append, lockLeasedRun, resultsAfterLock } from './lease.ts'
import type { EngineRun } from './run-row.ts'
import type { StepEnd } from './settle.ts'
import { countExceeded, insertAttempt, type StepNumber } from './step-queries.ts'
import type { CachedRun } from './step-state.ts'
import { lowestOf } from './trust.ts'

interface OpenAttempt {
  /** The run with the lowest trust of all messages that the model reads. */
  run: EngineRun
  prompt: Prompt
  /** How often a summary of this step was too long for the model. */
  exceededCount: number
  /** Whether budgets have a reservation for the call. */
  isReserved: boolean
  /** The longest answer that budgets pay for. */
  maxOutputTokens?: number
}

/** No budget pays for the call: the run waits or has failed. */
interface BudgetRefusal {
  end: StepEnd
}

interface CalledModel {
  window: number
  pricing: Pricing | null
  maxOutput: number | null
  additional: readonly AdditionalCall[]
}

/**
 * Opens an attempt: ends earlier interrupted attempts, and adds the results of the last calls and the queued messages
 * to the conversation. If the conversation is too long for the window of the model, the attempt is a summary.
 */
export const openAttempt = (
  engine: Engine,
  ctx: JobContext,
  { state, ended, read }: CachedRun,
  agent: RunAgent,
  step: StepNumber,
  model: CalledModel,
): Promise<OpenAttempt | BudgetRefusal> =>
  ctx.transaction(async (inside) => {
    const { run, last, calls, hasQueued, isLimited } = state
    const { sql } = inside
    const now = ctx.now()
    const isExceeded = last?.state === 'failed' && last.errorCode === 'context_too_long'
    const window: Window = { tokens: model.window, isExceeded }
    const { locked, results } = await resultsAfterLock(lockLeasedRun(sql, run), [
      // Interrupted attempts are charged to totals, which are locked after the tree of the run.
      isLimited && last?.state === 'streaming' && lockSpending(sql, run),
      last?.state === 'streaming' ? endInterrupted(sql, run, engine, step.n, now) : [],
      calls.length > 0 && insertResults(sql, run, calls, now),
      // A message that was sent after the state was read joins the conversation before the next step.
      hasQueued ? joinQueued(sql, run.orgId, run.sessionId, run.id) : [],
      engine.promptOf(sql, run, agent, window, { ...state, read }),
    ])
    const [, interruptions, , joined, prompt] = results
    const trust = lowestOf([locked.trust, ...joined.map((message) => message.trust)])
    const inputTokens = prompt.context.tokens
    const reads = ended.length > 0 ? { change: endReadsCte(sql, ended) } : {}
    const planned = { ...model, step: step.n, attempt: step.attempt, inputTokens }
    const reserved = isLimited ? await reserveCall(sql, run, planned, now) : NOT_LIMITED
    if (reserved.kind === 'refused') {
      await append(sql, run, [...eventsOfReads(ended), ...joined.map(messageEvent)], now, { trust, ...reads })
      return { end: await refuseStep(engine, inside, run, reserved) }
    }
    const kind = prompt.toSummarize.length > 0 ? 'summary' : 'answer'
    const started = { type: kind === 'summary' ? 'summary.started' : 'step.started' } as const
    const events = [
      ...eventsOfReads(ended),
      ...interruptions,
      { ...started, data: { ...step, model: run.model } },
      ...joined.map(messageEvent),
    ]
    await Promise.all([
      append(sql, run, events, now, { trust, ...reads }),
      insertAttempt(sql, run, { ...step, kind, model: run.model, context: prompt.context, now }),
    ])
    const exceededCount = kind === 'summary' ? await countExceeded(sql, run, step.n) : 0
    const { isReserved, maxOutputTokens } = reserved
    const limits = maxOutputTokens === null ? {} : { maxOutputTokens }
    return { run: { ...run, trust }, prompt, exceededCount, isReserved, ...limits }
  })

const NOT_LIMITED = { kind: 'reserved', isReserved: false, maxOutputTokens: null } as const
