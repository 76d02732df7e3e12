import { setTimeout as sleep } from 'node:timers/promises'
import { escapeIdentifier } from 'pg'
import type { DatabaseClient } from './client.ts'

interface Subscriber {
  channel: string
  onMessage: (payload: string) => void
  onListening: () => void
  /** Settles the first attempt's promise. */
  settle: (error: unknown) => void
  /** The connection listening to its channel. */
  client: DatabaseClient | null
}

export interface Subscription {
  unlisten: () => void
}

export type Listener = ReturnType<typeof createListener>

/** Pause before reconnecting. Doubles up to the maximum. */
const RECONNECT_MS = 50
const RECONNECT_MS_MAX = 1000

/** Uses one connection and reopens it when lost. */
export function createListener(open: () => Promise<DatabaseClient>) {
  const subscribers = new Set<Subscriber>()
  /** Channels the current connection listens to. */
  const channels = new Set<string>()
  let client: DatabaseClient | null = null
  let isUpdating = false
  let isClosed = false

  const isWanted = (channel: string) => [...subscribers].some((subscriber) => subscriber.channel === channel)

  const isUpToDate = () =>
    isClosed ||
    ([...subscribers].every((subscriber) => client !== null && subscriber.client === client) &&
      [...channels].every(isWanted))

  async function update(): Promise<void> {
    for (let pause = RECONNECT_MS; !isUpToDate(); ) {
      try {
        client ??= await connect()
        await listenToAll(client)
        pause = RECONNECT_MS
      } catch (error) {
        for (const { settle } of subscribers) settle(error)
        await sleep(pause)
        pause = Math.min(2 * pause, RECONNECT_MS_MAX)
      }
    }
  }

  async function connect(): Promise<DatabaseClient> {
    const opened = await open()
    channels.clear()
    opened.pg.on('notification', ({ channel, payload = '' }) => {
      for (const subscriber of subscribers) if (subscriber.channel === channel) subscriber.onMessage(payload)
    })
    opened.onLost = () => {
      if (client === opened) client = null
      startUpdate()
    }
    if (isClosed) opened.close()
    return opened
  }

  async function listenToAll(current: DatabaseClient): Promise<void> {
    for (const subscriber of subscribers) {
      if (subscriber.client === current) continue
      if (!channels.has(subscriber.channel)) await execute(current, 'listen', subscriber.channel)
      channels.add(subscriber.channel)
      subscriber.client = current
      subscriber.settle(null)
      subscriber.onListening()
    }
    for (const channel of channels) {
      if (isWanted(channel)) continue
      await execute(current, 'unlisten', channel)
      channels.delete(channel)
    }
  }

  function startUpdate(): void {
    if (isUpdating) return
    isUpdating = true
    void update().finally(() => {
      isUpdating = false
      if (!isUpToDate()) startUpdate()
    })
  }

  return {
    /**
     * Resolves once listening. Calls `onListening` then and after every interruption, during which messages are lost.
     * Rejects if the first attempt fails, and keeps trying.
     */
    listen: async (
      channel: string,
      onMessage: (payload: string) => void,
      onListening: () => void = () => {},
    ): Promise<Subscription> => {
      const first = Promise.withResolvers<void>()
      const settle = (error: unknown) => (error === null ? first.resolve() : first.reject(error))
      const subscriber: Subscriber = { channel, onMessage, onListening, settle, client: null }
      subscribers.add(subscriber)
      startUpdate()
      await first.promise
      return {
        unlisten() {
          subscribers.delete(subscriber)
          startUpdate()
        },
      }
    },
    close(): void {
      isClosed = true
      client?.close()
    },
  }
}

const execute = (client: DatabaseClient, command: 'listen' | 'unlisten', channel: string) =>
  client.run({ name: '', text: `${command} ${escapeIdentifier(channel)}`, types: null, columns: null }, [])
