const REPLACEMENT = '\ufffd'

/** Removes NUL and lone surrogates. Almost every value is clean and not copied. */
export const toStorable = <T>(value: T): T => (isClean(value) ? value : clean(value))

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isClean)
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key]
    if (child === undefined || !isClean(key) || !isClean(child)) return false
  }
  return true
}

function clean<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clean) as T
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  return Object.fromEntries(entries.map(([key, child]) => [cleanText(key), clean(child)])) as T
}

const cleanText = (text: string) => text.replaceAll('\0', REPLACEMENT).toWellFormed()

/** Holds back half a surrogate pair until the other half arrives. */
export function createTextJoiner() {
  let half = ''
  return {
    add(piece: string): string {
      const text = half + piece
      const last = text.charCodeAt(text.length - 1)
      const isCut = last >= 0xd800 && last <= 0xdbff
      half = isCut ? text.slice(-1) : ''
      return toStorable(isCut ? text.slice(0, -1) : text)
    },
    end(): string {
      const rest = toStorable(half)
      half = ''
      return rest
    },
  }
}
