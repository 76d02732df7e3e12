import type { KeyUse } from './queries.ts'

const FLUSH_MS = 2000
const LAST_USED_INTERVAL_MS = 60_000
const DAY_MS = 86_400_000

interface UsedKey {
  orgId: string
  id: string
  lastUsedAt: string | null
}

/**
 * Writes counts in one statement, off the request path. The last request's time and address are written at most once a
 * minute. A failed write is dropped.
 */
export function createKeyUseRecorder(
  write: (uses: KeyUse[]) => Promise<unknown>,
  now: () => Date,
  onError: (error: unknown) => void,
) {
  let today = { number: -1, day: '', uses: new Map<string, KeyUse>() }
  let earlier: KeyUse[] = []
  const startDay = (at: Date) => {
    earlier.push(...today.uses.values())
    today = { number: dayNumber(at), day: at.toISOString().slice(0, 10), uses: new Map() }
  }
  const flush = async () => {
    const batch = [...earlier, ...today.uses.values()]
    if (batch.length === 0) return
    earlier = []
    today.uses.clear()
    await write(batch).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    add({ orgId, id, lastUsedAt }: UsedKey, address: string) {
      const at = now()
      if (dayNumber(at) !== today.number) startDay(at)
      let use = today.uses.get(id)
      if (!use) {
        use = { orgId, id, day: today.day, calls: 0, lastUsed: null }
        today.uses.set(id, use)
      }
      use.calls++
      if (use.lastUsed || isDue(lastUsedAt, at)) use.lastUsed = { at, address }
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const dayNumber = (at: Date) => Math.floor(at.getTime() / DAY_MS)

const isDue = (lastUsedAt: string | null, at: Date) =>
  !lastUsedAt || at.getTime() - Date.parse(lastUsedAt) > LAST_USED_INTERVAL_MS

export type KeyUseRecorder = ReturnType<typeof createKeyUseRecorder>
