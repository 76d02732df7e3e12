import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { insertMessage } from '../../sessions/sessions.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import type { Engine } from './engine.ts'
import type { EngineRun } from './run-row.ts'
import { type CutOff, interruptAttempts, type StepNumber, textOfAttempt } from './step-queries.ts'
import { trustOf } from './trust.ts'

/**
 * Ends the model calls of a step that were cut off, and records an estimate of their cost, which they never reported. Returns the events
 * of their ends.
 */
export async function endCutOff(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  n: number,
  now: Date,
): Promise<RunEvent[]> {
  const ended = await interruptAttempts(sql, run, n, now)
  for (const cutOff of ended) await recordInterrupted(sql, run, engine, { n, ...cutOff }, now)
  // The end of an attempt that a person interrupted was reported before.
  return ended
    .filter(({ isSteered }) => !isSteered)
    .map(({ attempt, kind }) => interruptedEvent(kind, { n, attempt }))
}

/** For a run that ends: stores the text of the interrupted attempt that people saw in the conversation. */
export async function keepCutOff(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  n: number,
  now: Date,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const ended of await endCutOff(sql, run, engine, n, now)) {
    if (ended.type === 'step.finished')
      events.push(...(await keepText(sql, run, ended.data, await textOfAttempt(sql, run, ended.data), now)))
    events.push(ended)
  }
  return events
}

/** The end of a model call that was cut off. */
export function interruptedEvent(kind: CutOff['kind'], step: StepNumber): RunEvent {
  const end = { n: step.n, attempt: step.attempt, state: 'interrupted' as const, errorCode: null }
  return kind === 'answer'
    ? { type: 'step.finished', data: { ...end, finish: null, usage: null, cost: null } }
    : { type: 'summary.finished', data: { ...end, uptoSeq: null } }
}

/** Adds text of an answer that has no end to the conversation. */
export async function keepText(
  sql: Sql,
  run: EngineRun,
  { n }: StepNumber,
  text: string,
  now: Date,
): Promise<RunEvent[]> {
  if (text === '') return []
  const message = await insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'assistant',
      runId: run.id,
      step: n,
      authorId: null,
      content: [{ type: 'text', text }],
      body: text,
      trust: await trustOf(sql, run),
      state: 'sent',
    },
    now,
  )
  return message ? [messageEvent(message)] : []
}

export const messageEvent = ({ id, seq, role }: { id: string; seq: number; role: string }): RunEvent => ({
  type: 'message',
  data: { messageId: id, seq, role },
})
