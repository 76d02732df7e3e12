import { Busy } from '../errors.ts'

interface ByteBudgetOptions {
  /** As in `Too many large bodies are waiting: try again in a moment`. */
  name: string
  /** More is refused with RATE_LIMITED. */
  bytesPerKeyMax: number
  /** Across keys. More is refused with UNAVAILABLE. */
  bytesMax: number
}

export interface HeldBytes {
  /** Fails if they don't fit. */
  add: (bytes: number) => void
  /** Idempotent. */
  release: () => void
}

export type ByteBudget = ReturnType<typeof createByteBudget>

/** Per key and in total. Counts bytes as they arrive: a declared but unsent length occupies nothing. */
export function createByteBudget({ name, bytesPerKeyMax, bytesMax }: ByteBudgetOptions) {
  const byKey = new Map<string, number>()
  let total = 0

  /** Fails if this many more bytes don't fit now. */
  function check(key: string, bytes: number): void {
    const message = `Too many ${name} are waiting: try again in a moment`
    if ((byKey.get(key) ?? 0) + bytes > bytesPerKeyMax) throw new Busy('RATE_LIMITED', message)
    if (total + bytes > bytesMax) throw new Busy('UNAVAILABLE', message)
  }

  function change(key: string, bytes: number): void {
    const held = (byKey.get(key) ?? 0) + bytes
    if (held === 0) byKey.delete(key)
    else byKey.set(key, held)
    total += bytes
  }

  return {
    check,
    hold(key: string): HeldBytes {
      let held = 0
      return {
        add: (bytes) => {
          check(key, bytes)
          held += bytes
          change(key, bytes)
        },
        release: () => {
          change(key, -held)
          held = 0
        },
      }
    },
    size: () => ({ bytes: total, keys: byKey.size }),
  }
}
