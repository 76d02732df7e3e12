const THROTTLE_MS = 80
const SELECTION_MAX = 100

export interface PresenceState {
  cursor: { x: number; y: number } | null
  selection: string[]
}

/**
 * Sends our cursor and selection, throttled and without repeats; the last state is always sent. One request is in flight
 * at a time, so that a slow server does not get a backlog.
 */
export function createPresenceSender(send: (state: PresenceState) => Promise<unknown>) {
  let current: PresenceState = { cursor: null, selection: [] }
  let lastSent = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function schedule() {
    if (!stopped) timer ??= setTimeout(flush, THROTTLE_MS)
  }
  async function flush() {
    const state = JSON.stringify(current)
    if (state !== lastSent) {
      lastSent = state
      // A lost update needs no retry: the next one replaces it.
      await send(current).catch(() => {})
    }
    timer = undefined
    if (JSON.stringify(current) !== lastSent) schedule()
  }

  return {
    move(cursor: PresenceState['cursor']) {
      current = { ...current, cursor: cursor && { x: Math.round(cursor.x), y: Math.round(cursor.y) } }
      schedule()
    },
    select(ids: Iterable<string>) {
      current = { ...current, selection: [...ids].slice(0, SELECTION_MAX) }
      schedule()
    },
    /** Sends the state again after a reconnect. */
    resend() {
      lastSent = ''
      schedule()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
