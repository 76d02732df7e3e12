/** Carriers count septets in the GSM 03.38 alphabet, or 16-bit units if a character isn't in it. */
export interface SmsSize {
  encoding: 'GSM-7' | 'UCS-2'
  segments: number
  /** Septets or 16-bit units left in the last segment. */
  left: number
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each takes two septets: an escape and the character. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** With several segments, each loses six bytes to numbering. */
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
    // No segment ends between an escape and its character, or inside an emoji.
    if (used + size > joined) {
      segments++
      used = 0
    }
    used += size
  }
  return { encoding, segments, left: joined - used }
}
