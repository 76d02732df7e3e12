import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { JobContext } from '../../../../context.ts'
import { append } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import { type CallRow, type EndedRead, endReadsCte } from './call-queries.ts'
import { finishedEvent, startedEvent } from './end-calls.ts'

/**
 * The reads of a step, none of which took long. Their results are stored with the start of the next model call, which
 * saves a commit: a read is repeated after a crash whether its start was stored or not.
 */
export interface EndedReads {
  ended: readonly EndedRead[]
}

export const eventsOfReads = (ended: readonly EndedRead[]): RunEvent[] =>
  ended.flatMap(({ call, outcome }) => [startedEvent(call), finishedEvent(call, outcome)])

/** Stores the reads immediately, for a step that no model call follows. */
export async function storeReads(
  { sql, now }: Pick<JobContext, 'sql' | 'now'>,
  run: EngineRun,
  ended: readonly EndedRead[],
): Promise<void> {
  if (ended.length === 0) return
  await append(sql, run, eventsOfReads(ended), now(), { change: endReadsCte(sql, ended) })
}

/** A call as it will be stored. */
export function withOutcome<C extends CallRow>(call: C, ended: readonly EndedRead[]): C {
  const end = ended.find(({ call: { step, ordinal } }) => step === call.step && ordinal === call.ordinal)
  return end ? { ...call, state: end.outcome.state, output: end.outcome.output } : call
}
