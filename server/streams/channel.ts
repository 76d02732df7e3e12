import type { Logger } from 'pino'
import type { Pool } from '../database/database.ts'

interface Subscription {
  onMessage: (payload: string) => void
  /** Called whenever LISTEN takes effect. Messages during an interruption are lost. */
  onListening: () => void
}

/** One connection per process, opened with the first stream. */
export function createChannel(pool: Pool, log: Logger) {
  const subscriptions = new Map<string, Subscription>()
  const establishedChannels = new Set<string>()
  let listening: Promise<unknown> | undefined

  function listenTo([name, { onMessage, onListening }]: [string, Subscription]) {
    // Any database role can send here, so malformed payloads are expected input.
    const receive = (payload: string) => {
      try {
        onMessage(payload)
      } catch (err) {
        log.warn({ err, channel: name }, 'ignored a malformed notification')
      }
    }
    return pool.listen(name, receive, () => {
      establishedChannels.add(name)
      // The pool retries a failed LISTEN, so an earlier rejection must not fail later streams.
      if (establishedChannels.size === subscriptions.size) listening = Promise.resolve()
      onListening()
    })
  }

  return {
    subscribe(name: string, subscription: Subscription): void {
      const earlier = subscriptions.get(name)
      subscriptions.set(name, earlier ? mergeSubscriptions(earlier, subscription) : subscription)
    },
    listen: () => (listening ??= Promise.all([...subscriptions].map(listenTo))),
  }
}

const mergeSubscriptions = (first: Subscription, second: Subscription): Subscription => ({
  onMessage(payload) {
    first.onMessage(payload)
    second.onMessage(payload)
  },
  onListening() {
    first.onListening()
    second.onListening()
  },
})
