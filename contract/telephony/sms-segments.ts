/** How carriers split a text message: by septets of the GSM 03.38 alphabet, or by 16-bit units if one character is not in it. */
export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  /** The segments that are sent and charged. */
  segments: number
  /** Septets or 16-bit units that the last segment has room for. */
  left: number
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each takes two septets: an escape and the character. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** A message in several segments loses six bytes of each to their numbers. */
const UNITS = { 'GSM-7': { single: 160, joined: 153 }, 'UCS-2': { single: 70, joined: 67 } } as const

export function measureSms(text: string): SmsSize {
  const characters = Array.from(text)
  const encoding = characters.every((each) => BASIC.has(each) || EXTENDED.has(each)) ? 'GSM-7' : 'UCS-2'
  const sizes = characters.map((each) => (encoding === 'UCS-2' ? each.length : EXTENDED.has(each) ? 2 : 1))
  const { single, joined } = UNITS[encoding]
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= single) return { encoding, segments: 1, left: single - total }
  let segments = 1
  let used = 0
  for (const size of sizes) {
    // No segment ends between an escape and its character, or between two halves of an emoji.
    if (used + size > joined) {
      segments++
      used = 0
    }
    used += size
  }
  return { encoding, segments, left: joined - used }
}
