const SOONEST_MS = 80
const SELECTION_MAX = 100

export interface Whereabouts {
  cursor: { x: number; y: number } | null
  selection: string[]
}

/**
 * Tells the others where we are, at most every so often and never twice the same; the last word is always said. While
 * one word is on its way the next one waits, so that a slow server is not swamped.
 */
export function createWhereabouts(send: (where: Whereabouts) => Promise<unknown>) {
  let now: Whereabouts = { cursor: null, selection: [] }
  let said = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function later() {
    if (!stopped) timer ??= setTimeout(say, SOONEST_MS)
  }
  async function say() {
    const words = JSON.stringify(now)
    if (words !== said) {
      said = words
      // Nobody misses a cursor that could not be told; the next word will say where it is.
      await send(now).catch(() => {})
    }
    timer = undefined
    if (JSON.stringify(now) !== said) later()
  }

  return {
    move(cursor: Whereabouts['cursor']) {
      now = { ...now, cursor: cursor && { x: Math.round(cursor.x), y: Math.round(cursor.y) } }
      later()
    },
    select(ids: Iterable<string>) {
      now = { ...now, selection: [...ids].slice(0, SELECTION_MAX) }
      later()
    },
    /** Says it once more, to a server that may have forgotten. */
    again() {
      said = ''
      later()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
