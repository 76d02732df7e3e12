import type { LiveEvents } from '../../../../../contract/canvas/live.ts'
import type { Pool } from '../../../../database/database.ts'
import { notifyProject } from '../../../../streams/notify.ts'

export interface ProjectRef {
  orgId: string
  projectId: string
}

type PresenceReport = LiveEvents['presence']

export type ClientRef = LiveEvents['left']

/** Beyond this, the longest silent client is dropped. */
const CLIENTS_MAX = 200
/** Keeps one guest from filling the canvas with invented clients. */
const GUESTS_MAX = 100
/** Clients report on every reconnect, at the latest after a stream's maximum age. Silent ones have left. */
const EXPIRES_AFTER_MS = 300_000
/** However often a client reports. */
const BROADCAST_INTERVAL_MS = 40

/** A client id is only a claim: the user id keeps clients from reporting for others. */
export const presenceKey = ({ client, userId }: ClientRef) => `${client} ${userId ?? 'guest'}`

export type Presence = ReturnType<typeof createPresence>

export function createPresence(broadcast: (presence: PresenceReport) => void) {
  const clients = new Map<string, { presence: PresenceReport; at: number; isSent: boolean }>()
  let isScheduled = false

  function broadcastPending(): void {
    isScheduled = false
    for (const client of clients.values()) {
      if (!client.isSent) broadcast(client.presence)
      client.isSent = true
    }
  }

  const isCurrent = ({ at }: { at: number }) => at > Date.now() - EXPIRES_AFTER_MS

  function isFullOfGuests(): boolean {
    for (const [key, client] of clients) if (!isCurrent(client)) clients.delete(key)
    return [...clients.values()].filter(({ presence }) => presence.guest).length >= GUESTS_MAX
  }

  return {
    update(presence: PresenceReport): void {
      const key = presenceKey(presence)
      if (presence.guest && !clients.has(key) && isFullOfGuests()) return
      // Keeps the map ordered by report time.
      clients.delete(key)
      clients.set(key, { presence, at: Date.now(), isSent: false })
      const [oldest] = clients.keys()
      if (clients.size > CLIENTS_MAX && oldest !== undefined) clients.delete(oldest)
      if (!isScheduled) setTimeout(broadcastPending, BROADCAST_INTERVAL_MS).unref()
      isScheduled = true
    },
    remove: (client: ClientRef) => void clients.delete(presenceKey(client)),
    list: (): PresenceReport[] => [...clients.values()].filter(isCurrent).map(({ presence }) => presence),
  }
}

/** Streams end at their maximum age and reopen. A client back within this time hasn't left. */
const LEAVE_DEBOUNCE_MS = 2000

export function createPresenceLeave(pool: Pool) {
  const scheduled = new Map<string, { timer: NodeJS.Timeout; announce: () => void }>()
  const keyOf = (projectId: string, client: ClientRef) => `${projectId} ${presenceKey(client)}`

  function cancel(projectId: string, client: ClientRef): void {
    const key = keyOf(projectId, client)
    clearTimeout(scheduled.get(key)?.timer)
    scheduled.delete(key)
  }

  return {
    cancel,
    schedule({ orgId, projectId }: ProjectRef, client: ClientRef): void {
      cancel(projectId, client)
      const message = { kind: 'left', presence: { ...client } } as const
      const announce = () => {
        cancel(projectId, client)
        notifyProject(pool, orgId, projectId, message)
      }
      const timer = setTimeout(announce, LEAVE_DEBOUNCE_MS).unref()
      scheduled.set(keyOf(projectId, client), { timer, announce })
    },
    flush(): void {
      for (const { announce } of [...scheduled.values()]) announce()
    },
  }
}
