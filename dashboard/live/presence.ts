import type { LiveEvents } from '../../contract/canvas/live.ts'
import { createStore } from '../state/store.ts'

/** Then a cursor is dimmed. */
const IDLE_MS = 30_000

/** The hues of faces, so a cursor has its user's color. */
export const TONES = ['hue-1', 'hue-2', 'hue-3', 'hue-4', 'hue-5', 'hue-6', 'hue-7', 'hue-8'] as const
export type Tone = (typeof TONES)[number]

type Presence = LiveEvents['presence']
export interface Participant extends Presence {
  key: string
  idle: boolean
}

interface Self {
  client: string
  userId: string | null
  /** Null on the canvas. */
  tableId: string | null
}

/** Of those who see the same canvas or table. Excludes the user's own other windows. */
export function createPresence(self: Self) {
  const all = createStore<readonly Participant[]>([])
  const idleTimers = new Map<string, ReturnType<typeof setTimeout>>()

  const keyOf = ({ client, userId }: LiveEvents['left']) => `${client} ${userId ?? ''}`
  const participantOf = (presence: Presence): Participant => ({
    ...presence,
    key: keyOf(presence),
    idle: false,
  })

  function move(presence: Presence) {
    const next = participantOf(presence)
    const others = all.get().filter(({ key }) => key !== next.key)
    all.set([...others, next].sort((one, other) => one.key.localeCompare(other.key)))
    clearTimeout(idleTimers.get(next.key))
    idleTimers.set(
      next.key,
      setTimeout(() => markIdle(next.key), IDLE_MS),
    )
  }
  function retain(isHere: (key: string) => boolean) {
    for (const { key } of all.get()) {
      if (isHere(key)) continue
      clearTimeout(idleTimers.get(key))
      idleTimers.delete(key)
    }
    all.set(all.get().filter(({ key }) => isHere(key)))
  }
  const markIdle = (key: string) =>
    all.set(all.get().map((other) => (other.key === key ? { ...other, idle: true } : other)))
  const isBeside = (presence: Presence) => !isSelf(presence) && presence.tableId === self.tableId
  const isSelf = ({ client, userId }: LiveEvents['left']) =>
    client === self.client || (userId !== null && userId === self.userId)

  return {
    all,
    apply(event: LiveEvent) {
      if (event.name === 'ready') {
        const here = event.data.here.filter(isBeside)
        const keys = new Set(here.map(keyOf))
        retain((key) => keys.has(key))
        for (const presence of here) move(presence)
      }
      if (event.name === 'presence' && isBeside(event.data)) move(event.data)
      else if (event.name === 'left' || event.name === 'presence') {
        const leftKey = keyOf(event.data)
        retain((key) => key !== leftKey)
      }
    },
    stop() {
      for (const timer of idleTimers.values()) clearTimeout(timer)
    },
  }
}

/** A user with two windows appears once. */
export const distinctUsers = (participants: readonly Participant[]) => [
  ...new Map(
    participants.map((participant) => [participant.userId ?? participant.key, participant]),
  ).values(),
]

export type LiveEvent = {
  [Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] }
}[keyof LiveEvents]

const THROTTLE_MS = 80
const SELECTION_MAX = 100

export interface PresenceState {
  cursor: { x: number; y: number } | null
  selection: string[]
}

/**
 * Throttled and without repeats; the last state is always sent. One request is in flight at a time, so a slow server
 * gets no backlog.
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
