/** The length as the API counts it: code points (an emoji is one) of the trimmed text. */
const textLength = (text: string) => Array.from(text.trim()).length

/** The share of the limit from which the count is shown. */
const NEAR = 0.9

/** The note below a field: nothing, then a count near the limit, then an error above it. */
export function limitNote(text: string, limit: number, always = false): { near?: string; over?: string } {
  // The number of code points never exceeds the number of UTF-16 units, so most texts need no count.
  if (text.length < limit * NEAR && !always) return {}
  const length = textLength(text)
  if (length > limit) {
    const excess = length - limit
    return {
      over: `${format(excess)} ${excess === 1 ? 'character' : 'characters'} over the limit of ${format(limit)}`,
    }
  }
  return length < limit * NEAR && !always ? {} : { near: `${format(length)} of ${format(limit)} characters` }
}

const format = (value: number) => value.toLocaleString('en')
