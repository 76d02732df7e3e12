const PAUSE_MS = 2000
const LENGTH_MAX = 64

/** Collects the keys that the caller presses, until `#` or a pause. */
export function createDigits(now: () => number) {
  let keys = ''
  let lastAt = 0
  const take = () => {
    const taken = keys
    keys = ''
    return taken
  }
  return {
    /** The keys, if they are complete with this one. */
    add(key: string): string | null {
      keys += key
      lastAt = now()
      return key === '#' || keys.length >= LENGTH_MAX ? take() : null
    },
    /** The keys after a pause. */
    take: (): string | null => (keys !== '' && now() - lastAt >= PAUSE_MS ? take() : null),
  }
}
