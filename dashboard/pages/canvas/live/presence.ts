import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import { createStore } from '../../../state/store.ts'
import type { LiveEvent } from './live-event.ts'

/** Whoever has not moved for so long is drawn faintly. */
const IDLE_MS = 30_000

/** Colours that people are told apart by, beside their names. */
export const TONES = ['info', 'warning', 'good', 'bad', 'accent'] as const
export type Tone = (typeof TONES)[number]

type Presence = LiveEvents['presence']
export interface Other extends Presence {
  key: string
  tone: Tone
  idle: boolean
}

/** Who else has the canvas open, and where they are. */
export function createOthers(me: string) {
  const all = createStore<readonly Other[]>([])
  const idling = new Map<string, ReturnType<typeof setTimeout>>()

  const keyOf = ({ client, userId }: LiveEvents['left']) => `${client} ${userId ?? ''}`
  const otherOf = (presence: Presence): Other => ({
    ...presence,
    key: keyOf(presence),
    tone: toneOf(presence.userId ?? presence.client),
    idle: false,
  })

  function move(presence: Presence) {
    const next = otherOf(presence)
    const rest = all.get().filter(({ key }) => key !== next.key)
    all.set([...rest, next].sort((one, other) => one.key.localeCompare(other.key)))
    clearTimeout(idling.get(next.key))
    idling.set(
      next.key,
      setTimeout(() => idle(next.key), IDLE_MS),
    )
  }
  const idle = (key: string) =>
    all.set(all.get().map((other) => (other.key === key ? { ...other, idle: true } : other)))
  const isMe = ({ client }: LiveEvents['left']) => client === me

  return {
    all,
    hear(event: LiveEvent) {
      if (event.name === 'ready') {
        const here = event.data.here.filter((presence) => !isMe(presence))
        const known = new Set(here.map(keyOf))
        all.set(all.get().filter(({ key }) => known.has(key)))
        for (const presence of here) move(presence)
      }
      if (event.name === 'presence' && !isMe(event.data)) move(event.data)
      if (event.name === 'left') {
        const gone = keyOf(event.data)
        all.set(all.get().filter(({ key }) => key !== gone))
      }
    },
    stop() {
      for (const timer of idling.values()) clearTimeout(timer)
    },
  }
}

/** The same person has the same colour on every screen. */
function toneOf(id: string): Tone {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003
  return TONES[sum % TONES.length]!
}
