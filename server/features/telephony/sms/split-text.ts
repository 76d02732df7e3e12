import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'

/** Longer answers are cut: people read them on a phone, and each message costs money. */
const MESSAGES_MAX = 4
/** In the GSM alphabet, so the number of segments doesn't double. */
const CUT = '...'

/** Splits at a line or word end. */
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
  // Doesn't split a surrogate pair.
  return limit.isWellFormed() ? limit : limit.slice(0, -1)
}
