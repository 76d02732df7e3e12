import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { insertMessage } from '../../conversations/conversations.ts'
import { type EngineRun, readRunTrust } from '../state/run-row.ts'
import {
  type InterruptedAttempt,
  interruptAttempts,
  type StepNumber,
  textOfAttempt,
} from '../state/step-queries.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import type { Engine } from './engine.ts'

/** Records an estimated cost, since interrupted calls never reported one. Returns their end events. */
export async function endInterrupted(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  n: number,
  now: Date,
): Promise<RunEvent[]> {
  const ended = await interruptAttempts(sql, run, n, now)
  for (const cutOff of ended) await recordInterrupted(sql, run, engine, { n, ...cutOff }, now)
  // `interruptStep` has already reported these.
  return ended
    .filter(({ isSteered }) => !isSteered)
    .map(({ attempt, kind }) => interruptedEvent(kind, { n, attempt }))
}

/** For a run that ends. Also keeps the text already shown. */
export async function endInterruptedWithText(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  n: number,
  now: Date,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const ended of await endInterrupted(sql, run, engine, n, now)) {
    if (ended.type === 'step.finished') {
      const text = await textOfAttempt(sql, run, ended.data)
      events.push(...(await storePartialText(sql, run, ended.data, text, now)))
    }
    events.push(ended)
  }
  return events
}

export function interruptedEvent(kind: InterruptedAttempt['kind'], step: StepNumber): RunEvent {
  const end = { n: step.n, attempt: step.attempt, state: 'interrupted' as const, errorCode: null }
  return kind === 'answer'
    ? { type: 'step.finished', data: { ...end, finish: null, usage: null, cost: null } }
    : { type: 'summary.finished', data: { ...end, uptoSeq: null } }
}

export async function storePartialText(
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
      trust: await readRunTrust(sql, run),
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
