import type { StreamState } from '../../../../client/event-stream.ts'
import { RUN_EVENTS, type RunEvent, type RunEventType } from '../../../../contract/agents/run-events.ts'
import type { Connection } from '../../../connect.ts'
import { follow } from '../../../event-stream.ts'
import { parseJson } from '../../../parse-json.ts'

/** An event of a run. `event` is null for a type that is unknown to this version of the CLI. */
export interface NumberedEvent {
  seq: number
  type: string
  data: unknown
  event: RunEvent | null
}

/**
 * The events of a run from its first to its last, each once and in order. After a broken connection the stream resumes
 * after the last event that arrived.
 */
export async function* followRun(
  connection: Connection,
  runId: string,
  onState: (state: StreamState) => void,
): AsyncGenerator<NumberedEvent, void> {
  let lastSeq = 0
  for await (const { name, id, data } of follow(connection, `/api/v1/runs/${runId}/stream`, onState)) {
    const seq = Number(id)
    if (!(seq > lastSeq)) continue
    lastSeq = seq
    const value = parseJson(data)
    yield { seq, type: name, data: value, event: eventOf(name, value) }
    if (name === 'run.finished') return
  }
}

function eventOf(type: string, value: unknown): RunEvent | null {
  if (!Object.hasOwn(RUN_EVENTS, type)) return null
  const parsed = RUN_EVENTS[type as RunEventType].safeParse(value)
  return parsed.success ? ({ type, data: parsed.data } as RunEvent) : null
}
