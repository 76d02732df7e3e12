/** Characters as the API counts them: code points, so that an emoji is one, without the blanks around the text. */
const textLength = (text: string) => Array.from(text.trim()).length

/** From here on somebody who writes is told how much room is left. */
const NEAR = 0.9

/** What to say of a text and its limit: nothing while there is room, a count when it gets close, then what is wrong. */
export function limitNote(text: string, limit: number, always = false): { near?: string; over?: string } {
  // Code points are never more than UTF-16 units, so most texts are settled without a walk.
  if (text.length < limit * NEAR && !always) return {}
  const length = textLength(text)
  if (length > limit) {
    const excess = length - limit
    return {
      over: `${count(excess)} ${excess === 1 ? 'character' : 'characters'} more than the ${count(limit)} it may have`,
    }
  }
  return length < limit * NEAR && !always ? {} : { near: `${count(length)} of ${count(limit)} characters` }
}

const count = (value: number) => value.toLocaleString('en')
