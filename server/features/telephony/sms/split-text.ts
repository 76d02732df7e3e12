import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'

/** An answer that needs more messages is cut: people read it on a phone, and each message costs money. */
const MESSAGES_MAX = 4
/** Marks a shortened text. In the GSM alphabet, so that the number of segments does not double. */
const CUT = '...'

/** A text as messages that a carrier accepts, divided at the end of a line or of a word. */
export function splitText(text: string): string[] {
  const parts: string[] = []
  let remaining = text.trim()
  while (remaining !== '' && parts.length < MESSAGES_MAX) {
    const part = firstPart(remaining)
    parts.push(part)
    remaining = remaining.slice(part.length).trim()
  }
  const last = parts.at(-1)
  if (remaining !== '' && last !== undefined)
    parts[parts.length - 1] = last.slice(0, TELEPHONY_LIMITS.smsBody - CUT.length).toWellFormed() + CUT
  return parts.map((part) => part.trim())
}

/** Counts UTF-16 units, as carriers do: an emoji takes two. */
function firstPart(text: string): string {
  if (text.length <= TELEPHONY_LIMITS.smsBody) return text
  const limit = text.slice(0, TELEPHONY_LIMITS.smsBody)
  const end = Math.max(limit.lastIndexOf('\n'), limit.lastIndexOf(' '))
  if (end > TELEPHONY_LIMITS.smsBody / 2) return limit.slice(0, end)
  // Does not split a surrogate pair.
  return limit.isWellFormed() ? limit : limit.slice(0, -1)
}
