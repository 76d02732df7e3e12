/**
 * In an answer, or in one event of a stream. Libraries that check an answer keep a report on each value with a wrong
 * type: a few megabytes of those take minutes and gigabytes.
 */
export const VALUES_MAX = 100_000

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, BACKSLASH] = [10, 13, 34, 92]
const [COMMA, BRACKET, BRACE] = [44, 91, 123]
/** Lines that begin like `data:`, `event:`, `id:` or `retry:` are no JSON. */
const FIELD_STARTS = new Set(Buffer.from('deir'))

/** Counts JSON values while they arrive. Returns whether there are few enough. */
export function createValueCounter(valuesMax = VALUES_MAX): (chunk: Uint8Array) => boolean {
  let count = 0
  let isString = false
  let isEscaped = false
  let isEvent = false
  let isLineEmpty = true
  let last = 0

  /** Strings contain no line break. An empty line ends an event. */
  function endLine(): void {
    if (isLineEmpty && isEvent) {
      count = 0
      isEvent = false
    }
    isLineEmpty = true
    isString = false
    isEscaped = false
  }

  function read(byte: number): void {
    if (isLineEmpty) isEvent ||= FIELD_STARTS.has(byte)
    isLineEmpty = false
    if (isEscaped) isEscaped = false
    else if (byte === QUOTE) isString = !isString
    else if (isString) isEscaped = byte === BACKSLASH
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1
  }

  return (chunk) => {
    for (const byte of chunk) {
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && last !== CARRIAGE_RETURN)) endLine()
      else if (byte !== LINE_FEED) read(byte)
      last = byte
      if (count > valuesMax) return false
    }
    return true
  }
}
