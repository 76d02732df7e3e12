import { OUTPUT_LIMITS } from '../../../../../contract/agents/output-rules.ts'
import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { insertMessage } from '../../conversations/conversations.ts'
import { type CheckedAnswer, checkAnswer } from '../results/check-answer.ts'
import { countRepair, findStepText } from '../results/queries.ts'
import { askForCorrection, describeFailure } from '../results/words.ts'
import { append, lockLeasedRun } from '../state/lease.ts'
import type { EngineRun, StepEnd } from '../state/run-row.ts'
import type { StepRow } from '../state/step-queries.ts'
import type { Engine } from './engine.ts'
import { type RunEnd, settle } from './settle.ts'

/** A run whose last answer is stored: after a queued message was withdrawn. */
export async function endAnswered(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  { n, finish }: StepRow,
): Promise<StepEnd> {
  if (run.outputSchema === null) return settle(engine, ctx, run, { status: 'succeeded' })
  const checked = checkAnswer(run, { text: await findStepText(ctx.sql, run, n), finish })
  const end = endOf(run, checked)
  if (end) return settle(engine, ctx, run, end)
  return ctx.transaction(async ({ sql }): Promise<StepEnd> => {
    const now = ctx.now()
    const { isCancelRequested } = await lockLeasedRun(sql, run)
    if (isCancelRequested) return 'next'
    await requestCorrection(sql, run, { step: n, checked, events: [] }, now)
    return 'next'
  })
}

/** Null if the model shall correct its answer. */
export function endOf({ outputRepairs }: EngineRun, checked: CheckedAnswer): RunEnd | null {
  if (checked === null) return { status: 'succeeded' }
  if (checked.problems === null) return { status: 'succeeded', output: checked.output }
  if (outputRepairs < OUTPUT_LIMITS.repairs) return null
  return {
    status: 'failed',
    code: 'invalid_output',
    detail: describeFailure(checked.problems, outputRepairs),
  }
}

interface Correction {
  step: number
  checked: CheckedAnswer
  events: readonly RunEvent[]
}

/**
 * A queued message, which joins at the next step like a member's: a crash before it changes nothing. Its step says that
 * no member wrote it.
 */
export async function requestCorrection(
  sql: Sql,
  run: EngineRun,
  { step, checked, events }: Correction,
  now: Date,
): Promise<void> {
  const text = askForCorrection(checked?.problems ?? [])
  await append(sql, run, [...events], now, { isSuccess: true })
  await countRepair(sql, run)
  await insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'user',
      runId: null,
      step,
      authorId: null,
      content: [{ type: 'text', text }],
      body: text,
      trust: run.trust,
      state: 'queued',
    },
    now,
  )
}
