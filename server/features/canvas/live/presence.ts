import type { LiveEvents } from '../../../../contract/canvas/live.ts'

type Presence = LiveEvents['presence']

/** So many are remembered for those who come later; a crowd pushes the oldest out. */
const REMEMBERED_MAX = 200
/** Of guests so many: more are not shown until others have gone, so that nobody fills the canvas with made-up people. */
const GUESTS_MAX = 100
/** Clients say where they are whenever they connect again, so whoever is silent for longer has gone without a word. */
const REMEMBERED_MS = 300_000
/** However often somebody says where they are, the others are told this often. */
const TOLD_EVERY_MS = 40

/** A client is only as good as the person behind it: nobody speaks for another by using their client's id. */
export const keyOf = ({ client, userId }: LiveEvents['left']) => `${client} ${userId ?? 'guest'}`

export const isSame = (one: LiveEvents['left'] | null, other: LiveEvents['left']) =>
  one !== null && keyOf(one) === keyOf(other)

/** Where people were last seen on one canvas; `tell` is called with where they are by now. */
export function createWhereabouts(tell: (presence: Presence) => void) {
  const last = new Map<string, { presence: Presence; at: number; isTold: boolean }>()
  let isDue = false

  function tellAll(): void {
    isDue = false
    for (const seen of last.values()) {
      if (!seen.isTold) tell(seen.presence)
      seen.isTold = true
    }
  }

  const isHere = ({ at }: { at: number }) => at > Date.now() - REMEMBERED_MS

  function isFull(): boolean {
    for (const [key, seen] of last) if (!isHere(seen)) last.delete(key)
    return [...last.values()].filter(({ presence }) => presence.guest).length >= GUESTS_MAX
  }

  return {
    seen(presence: Presence): void {
      const key = keyOf(presence)
      if (presence.guest && !last.has(key) && isFull()) return
      last.delete(key)
      last.set(key, { presence, at: Date.now(), isTold: false })
      const [oldest] = last.keys()
      if (last.size > REMEMBERED_MAX && oldest !== undefined) last.delete(oldest)
      if (!isDue) setTimeout(tellAll, TOLD_EVERY_MS).unref()
      isDue = true
    },
    gone: (who: LiveEvents['left']) => void last.delete(keyOf(who)),
    here: (): Presence[] => [...last.values()].filter(isHere).map(({ presence }) => presence),
  }
}
