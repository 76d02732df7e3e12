import { setTimeout as sleep } from 'node:timers/promises'

export type Kind = 'upload' | 'block' | 'event' | 'sms'

/** A change that the server acknowledged. */
export interface AcknowledgedChange {
  /** Unique in the proof, and part of the written record. */
  name: string
  id: string
  sha256?: string
}

/** When an attempt that succeeded began and ended. */
interface Success {
  kind: Kind
  begun: number
  ended: number
}

/** Makes one attempt. Throws if it was not acknowledged; it is then repeated under the same name. */
export type Write = (name: string) => Promise<Omit<AcknowledgedChange, 'name'>>

interface Client {
  kind: Kind
  write: Write
  /** Between two changes. */
  pauseMs: number
}

const RETRY_PAUSE_MS = 50
/** After the load has stopped, a client has this time to finish its last request. */
const LAST_ATTEMPT_S = 60

/** Clients that write until they are stopped, each one change after the other. */
export function startLoad(clients: Client[]) {
  const acknowledged: Record<Kind, AcknowledgedChange[]> = { upload: [], block: [], event: [], sms: [] }
  const successes: Success[] = []
  const problems: string[] = []
  let failures = 0
  let stoppedAt = Number.POSITIVE_INFINITY

  async function repeat({ kind, write, pauseMs }: Client, client: number): Promise<void> {
    for (let n = 1; performance.now() < stoppedAt; n++) {
      await writeUntilAcknowledged(kind, `${kind} ${client}.${n}`, write)
      await sleep(pauseMs)
    }
  }

  async function writeUntilAcknowledged(kind: Kind, name: string, write: Write): Promise<void> {
    for (;;) {
      const begun = performance.now()
      try {
        acknowledged[kind].push({ name, ...(await write(name)) })
        successes.push({ kind, begun, ended: performance.now() })
        return
      } catch (error) {
        failures++
        if (error instanceof ChangeRefused) return void problems.push(`${name}: ${error.message}`)
        if (performance.now() > stoppedAt + LAST_ATTEMPT_S * 1000)
          return void problems.push(`${name}: never acknowledged: ${(error as Error).message}`)
        await sleep(RETRY_PAUSE_MS)
      }
    }
  }

  const running = clients.map(repeat)
  return {
    acknowledged,
    problems,
    failures: () => failures,
    /** Milliseconds from a moment to the end of the first attempt that began after it and succeeded. */
    async recoveredAfter(moment: number): Promise<number> {
      for (;;) {
        const ends = successes.filter(({ begun }) => begun >= moment).map(({ ended }) => ended)
        if (ends.length > 0) return Math.min(...ends) - moment
        await sleep(5)
      }
    },
    /** The longest time without any success since a moment. */
    longestGapSince(moment: number): number {
      const ends = successes.map(({ ended }) => ended).filter((ended) => ended >= moment)
      return Math.max(...ends.map((ended, index) => ended - (ends[index - 1] ?? moment)))
    },
    async stop(): Promise<void> {
      stoppedAt = performance.now()
      await Promise.all(running)
    },
  }
}

/** The server refused a request, or failed at it: a repetition would not help, or hide a fault. */
export class ChangeRefused extends Error {}

/** A conflict with an earlier attempt under the same key, "try again", and a proxy without a server. */
const REPEATABLE = [409, 429, 502, 503, 504]

/** Sends a request; a network error and every status that allows a repetition throw an ordinary error. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
  if (response.ok) return response
  const text = await response.text()
  const isRepeatable = REPEATABLE.includes(response.status)
  throw new (isRepeatable ? Error : ChangeRefused)(`${response.status} ${text.slice(0, 300)}`)
}
