import type { KeyUse } from './use-queries.ts'

const FLUSH_MS = 2000
const LAST_USED_INTERVAL_MS = 60_000
const DAY_MS = 86_400_000

interface UsedKey {
  orgId: string
  id: string
  lastUsedAt: string | null
}

/**
 * Counts the requests of keys in memory and writes them in one statement, off the path of the request, with the time and the
 * address of the last one, which are written at most once a minute. A failed write is dropped.
 */
export function createKeyUseRecorder(
  write: (uses: KeyUse[]) => Promise<unknown>,
  now: () => Date,
  onError: (error: unknown) => void,
) {
  let uses = new Map<string, KeyUse>()
  let today = { number: -1, day: '' }
  const dayOf = (at: Date): string => {
    const number = Math.floor(at.getTime() / DAY_MS)
    if (number !== today.number) today = { number, day: at.toISOString().slice(0, 10) }
    return today.day
  }
  const flush = async () => {
    if (uses.size === 0) return
    const batch = [...uses.values()]
    uses = new Map()
    await write(batch).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    add({ orgId, id, lastUsedAt }: UsedKey, address: string) {
      const at = now()
      const day = dayOf(at)
      const key = `${id} ${day}`
      const use: KeyUse = uses.get(key) ?? { orgId, id, day, calls: 0, lastUsed: null }
      use.calls++
      if (!lastUsedAt || at.getTime() - Date.parse(lastUsedAt) > LAST_USED_INTERVAL_MS)
        use.lastUsed = { at, address }
      uses.set(key, use)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

export type KeyUseRecorder = ReturnType<typeof createKeyUseRecorder>
