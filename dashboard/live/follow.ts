import { eventsOf } from './sse.ts'

/** `lost` after a try that failed; `ended` when the server says that there is nothing here for us any more. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended'

interface Told {
  name: string
  id?: string
  data: unknown
}

interface Following<Event extends Told> {
  /** Asks for the stream, from the last thing on that was heard of. */
  open: (signal: AbortSignal) => Promise<Response>
  onEvent: (event: Event) => void
  onConnection: (connection: Connection) => void
  /** Open once it says `ready`, or as soon as it is answered. */
  greets: boolean
  wait?: (tries: number, signal: AbortSignal) => Promise<void>
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
/** The server sends a sign of life every 15 seconds. */
const SILENCE_MS = 40_000
const REFUSALS = [401, 403, 404, 410]

/** Follows a stream until told to stop: connects again whenever it ends, soon at first, then less often. */
export function follow<Event extends Told>(following: Following<Event>) {
  const { open, onEvent, onConnection, greets, wait = pause } = following
  const stop = new AbortController()
  let tries = 0
  let hurry = new AbortController()
  let drop = () => {}

  async function run() {
    onConnection('connecting')
    while (!stop.signal.aborted) {
      const outcome = await listen()
      if (stop.signal.aborted) return
      if (outcome === 'refused') return onConnection('ended')
      if (outcome === 'over') continue
      onConnection('lost')
      hurry = new AbortController()
      await wait(tries++, AbortSignal.any([stop.signal, hurry.signal]))
    }
  }

  /** `over` when the stream ended as streams do, `broken` when it did not. */
  async function listen(): Promise<'over' | 'broken' | 'refused'> {
    const silence = new AbortController()
    drop = () => silence.abort()
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const alive = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
    try {
      const response = await open(AbortSignal.any([stop.signal, silence.signal]))
      if (REFUSALS.includes(response.status)) return 'refused'
      if (!response.ok || !response.body) return 'broken'
      if (!greets) opened()
      for await (const { event, id, data } of eventsOf(response.body, alive)) {
        const told: Told = { name: event, data: JSON.parse(data), ...(id && { id }) }
        if (greets && told.name === 'ready') opened()
        onEvent(told as Event)
        if (told.name === 'ended') return isClosing(told.data) ? 'broken' : 'over'
      }
      return 'broken'
    } catch {
      return 'broken'
    } finally {
      clearTimeout(timer)
      // Also ends a stream that is left in the middle.
      silence.abort()
    }
  }

  function opened() {
    tries = 0
    onConnection('open')
  }

  void run()
  return {
    stop: () => stop.abort(),
    /** The network is gone, which the stream itself would notice much later. */
    drop: () => drop(),
    /** The network is back: no need to wait. */
    hurry: () => hurry.abort(),
  }
}

/** The server itself goes down, and is not back at once. */
const isClosing = (data: unknown) => (data as { reason?: string }).reason === 'closing'

/** Not the same for all, so that those who were cut off together do not come back together. */
function pause(tries: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS)
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
