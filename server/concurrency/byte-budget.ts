import { Busy } from '../errors.ts'

interface ByteBudgetOptions {
  /** The noun for the content that occupies the bytes, as in `Too many large bodies are waiting: try again in a moment`. */
  name: string
  /** How many bytes one key occupies at most; more is refused with RATE_LIMITED. */
  bytesPerKeyMax: number
  /** How many bytes all keys occupy at most; more is refused with UNAVAILABLE. */
  bytesMax: number
}

/** The bytes that one piece of content occupies. */
export interface HeldBytes {
  /** Fails if the bytes do not fit. */
  add: (bytes: number) => void
  /** Returns the bytes to the budget. Calling it again has no effect. */
  release: () => void
}

export type ByteBudget = ReturnType<typeof createByteBudget>

/**
 * Limits the bytes that content of unknown length occupies, per key and in total. Counts bytes as they arrive: a length
 * that a client declares and never sends occupies nothing.
 */
export function createByteBudget({ name, bytesPerKeyMax, bytesMax }: ByteBudgetOptions) {
  const byKey = new Map<string, number>()
  let total = 0

  /** Fails if this number of additional bytes does not fit now. */
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
