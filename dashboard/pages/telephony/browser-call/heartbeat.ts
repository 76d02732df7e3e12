const CHECK_MS = 1000
const QUIET_MS = 4000
/** Also for a connection that doesn't open. */
const ANSWER_MS_MAX = 10_000

interface HeartbeatOptions {
  ping: () => void
  /** Neither answer nor close: a router or a server is gone without a word. */
  onDead: () => void
}

/** Asks a quiet server whether it is there. Browsers report a dead connection only after minutes. */
export function startHeartbeat({ ping, onDead }: HeartbeatOptions) {
  let heardAt = Date.now()
  let askedAt: number | null = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    if (askedAt !== null) {
      if (now - askedAt <= ANSWER_MS_MAX) return
      clearInterval(timer)
      onDead()
    } else if (now - heardAt > QUIET_MS) {
      askedAt = now
      ping()
    }
  }, CHECK_MS)
  return {
    heard() {
      heardAt = Date.now()
      askedAt = null
    },
    stop: () => clearInterval(timer),
  }
}
