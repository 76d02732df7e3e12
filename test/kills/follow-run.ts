import { setTimeout as sleep } from 'node:timers/promises'
import { readEvents } from '../../client/event-stream.ts'
import { isRepeatable } from './start-runs.ts'

export interface SeenEvent {
  seq: number
  type: string
  data: unknown
}

interface FollowOptions {
  runId: string
  key: string
  /** The URL of a live process, another one for each attempt if there are several. */
  url: () => string | undefined
}

/** Follows a run to its end, and connects again after the last event that arrived whenever the connection breaks. */
export function followRun({ runId, key, url }: FollowOptions) {
  const events: SeenEvent[] = []
  const problems: string[] = []
  const stop = new AbortController()
  let connections = 0

  async function connect(base: string): Promise<void> {
    const after = events.at(-1)?.seq ?? 0
    // Alternates between the two ways to resume a stream: the query and the header.
    const [query, header] =
      connections++ % 2 === 0 ? [`?after=${after}`, {}] : ['', { 'last-event-id': `${after}` }]
    const response = await fetch(`${base}/api/v1/runs/${runId}/stream${query}`, {
      headers: { authorization: `Bearer ${key}`, ...header },
      signal: stop.signal,
    })
    if (!response.ok) {
      if (!isRepeatable(response.status)) problems.push(`its stream returned ${response.status}`)
      return
    }
    for await (const { name, id, data } of readEvents(response.body!)) {
      if (id === undefined) continue
      events.push({ seq: Number(id), type: name, data: JSON.parse(data) })
      if (name === 'run.finished') return
    }
  }

  async function follow(): Promise<void> {
    while (!stop.signal.aborted && events.at(-1)?.type !== 'run.finished') {
      const base = url()
      if (base) await connect(base).catch(() => {})
      await sleep(20)
    }
  }

  const finished = follow()
  return {
    events,
    /** Refusals of the stream that do not ask the reader to try again. */
    problems,
    connections: () => connections,
    /** Resolves when `run.finished` has arrived. */
    finished,
    async stop() {
      stop.abort()
      await finished
    },
  }
}
