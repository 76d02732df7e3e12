import type { JobContext } from '../../../../context.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import {
  type AdditionalCall,
  lockSpending,
  periodEnd,
  type Refusal,
  reportRefused,
  reserveCall,
} from '../../../billing/budgets/budgets.ts'
import { joinQueued } from '../../conversations/conversations.ts'
import { insertResults } from '../calls/end-calls.ts'
import { lockAncestors } from '../children/tree-queries.ts'
import type { ImageInput } from '../state/image-tokens.ts'
import { append, lockLeasedRun, resultsAfterLock } from '../state/lease.ts'
import type { Prompt, RunAgent, Window } from '../state/prompt.ts'
import { type EngineRun, lowestTrust } from '../state/run-row.ts'
import { countExceeded, insertAttempt, type StepNumber } from '../state/step-queries.ts'
import { endInterrupted, messageEvent } from './attempts.ts'
import type { Engine } from './engine.ts'
import { type StepEnd, settle, wait } from './settle.ts'
import type { CachedRun } from './step-state.ts'

export interface OpenAttempt {
  /** With the lowest trust among the messages the model reads. */
  run: EngineRun
  prompt: Prompt
  /** How often a summary was too long. */
  exceededCount: number
  isReserved: boolean
  /** The longest answer budgets pay for. */
  maxOutputTokens?: number
}

/** The run waits or has failed. */
interface BudgetRefusal {
  end: StepEnd
}

interface CalledModel {
  window: number
  images: ImageInput
  pricing: Pricing | null
  maxOutput: number | null
  additional: readonly AdditionalCall[]
}

/**
 * Ends interrupted attempts, and adds call results and queued messages to the conversation. If it's too long for the
 * model's window, the attempt is a summary.
 */
export const openAttempt = (
  engine: Engine,
  ctx: JobContext,
  { state, read }: CachedRun,
  agent: RunAgent,
  step: StepNumber,
  model: CalledModel,
): Promise<OpenAttempt | BudgetRefusal> =>
  ctx.transaction(async (inside) => {
    const { run, last, calls, hasQueued, isLimited } = state
    const { sql } = inside
    const now = ctx.now()
    const isExceeded = last?.state === 'failed' && last.errorCode === 'context_too_long'
    const window: Window = { tokens: model.window, images: model.images, isExceeded }
    const { locked, results } = await resultsAfterLock(lockLeasedRun(sql, run), [
      // A refusal ends the run.
      isLimited && lockAncestors(sql, run),
      // Charged to totals, which are locked after the run's tree.
      isLimited && last?.state === 'streaming' && lockSpending(sql, run),
      last?.state === 'streaming' ? endInterrupted(sql, run, engine, step.n, now) : [],
      calls.length > 0 && insertResults(sql, run, calls, now),
      // A later message joins before the next step.
      hasQueued ? joinQueued(sql, run.orgId, run.sessionId, run.id) : [],
      engine.promptOf(sql, run, agent, window, { ...state, read }),
    ])
    const [, , interruptions, , joined, prompt] = results
    // As reading a file does.
    const ofPrompt = prompt.hasUntrustedTexts ? 'untrusted' : 'trusted'
    const trust = lowestTrust([locked.trust, ofPrompt, ...joined.map((message) => message.trust)])
    const inputTokens = prompt.context.tokens
    const planned = { ...model, step: step.n, attempt: step.attempt, inputTokens }
    const reserved = isLimited ? await reserveCall(sql, run, planned, now) : NOT_LIMITED
    if (reserved.kind === 'refused') {
      await append(sql, run, joined.map(messageEvent), now, { trust })
      return { end: await refuseStep(engine, inside, run, reserved) }
    }
    const kind = prompt.toSummarize.length > 0 ? 'summary' : 'answer'
    const started = { type: kind === 'summary' ? 'summary.started' : 'step.started' } as const
    const events = [
      ...interruptions,
      { ...started, data: { ...step, model: run.model } },
      ...joined.map(messageEvent),
    ]
    await Promise.all([
      append(sql, run, events, now, { trust }),
      insertAttempt(sql, run, { ...step, kind, model: run.model, context: prompt.context, now }),
    ])
    const exceededCount = kind === 'summary' ? await countExceeded(sql, run, step.n) : 0
    const { isReserved, maxOutputTokens } = reserved
    const limits = maxOutputTokens === null ? {} : { maxOutputTokens }
    return { run: { ...run, trust }, prompt, exceededCount, isReserved, ...limits }
  })

const NOT_LIMITED = { kind: 'reserved', isReserved: false, maxOutputTokens: null } as const

/** For a run waiting for other runs' calls. */
const RETRY_MS = 10_000

const SCOPES = {
  org: 'the organization',
  project: 'the project',
  agent: 'the agent',
  user: 'the member who started it',
  key: 'the API key that started it',
}

async function refuseStep(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  { reason, limit, needed, model = run.model }: Refusal,
): Promise<StepEnd> {
  const now = ctx.now()
  const { scope, scopeId, period, amount } = limit
  if (reason === 'price') {
    const detail = `${model} has no known price, so the budget for ${SCOPES[scope]} can’t limit it. An admin can set its price, or count it as free, in Settings → Models`
    return settle(engine, ctx, run, { status: 'failed', code: 'price_unknown', detail })
  }
  const [spent, need] = [limit.spent ?? '0.000000', needed ?? '0.000000']
  const budget = { reason, scope, id: scopeId, period, amount, spent, needed: need }
  if (reason === 'reserved') return wait(ctx, run, 'budget', new Date(now.getTime() + RETRY_MS), { budget })
  await reportRefused(ctx.sql, run.orgId, limit)
  if (limit.onReach === 'pause') return wait(ctx, run, 'budget', periodEnd(period, now), { budget })
  const per = period === 'total' ? 'in total' : `per ${period}`
  const detail = `the budget for ${SCOPES[scope]} ${per}: $${spent} of $${amount} is spent, and the next call can cost $${need}`
  return settle(engine, ctx, run, { status: 'failed', code: 'budget_reached', detail })
}
