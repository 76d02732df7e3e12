import type { CallCount } from './queries.ts'

const FLUSH_MS = 2000
const CLIENTS_MAX = 10

export interface CountedCall {
  orgId: string
  tool: string
  client: string
  failed: boolean
}

/** Counts calls in memory and writes them in one statement, off the path of the call. A failed write is dropped. */
export function createCallCounter(
  write: (counts: CallCount[]) => Promise<unknown>,
  now: () => Date,
  onError: (error: unknown) => void,
) {
  let counts = new Map<string, CallCount>()
  const flush = async () => {
    if (counts.size === 0) return
    const batch = [...counts.values()]
    counts = new Map()
    await write(batch).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    add({ orgId, tool, client, failed }: CountedCall) {
      const key = `${orgId} ${tool}`
      const count = counts.get(key) ?? { orgId, tool, calls: 0, failed: 0, clients: [], lastAt: now() }
      count.calls++
      if (failed) count.failed++
      if (count.clients.length < CLIENTS_MAX && !count.clients.includes(client)) count.clients.push(client)
      count.lastAt = now()
      counts.set(key, count)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
