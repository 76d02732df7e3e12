import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'

export interface Destination {
  /** Two letters. Null without a country, such as a satellite phone. */
  country: string | null
  isPremium: boolean
}

/** The called party or a network sets the price. */
const PREMIUM_TYPES: readonly (string | undefined)[] = [
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
]
/** International toll-free: the only code without a country that costs nothing. */
const TOLL_FREE_CODE = '800'
/** A shorter prefix, such as a country, doesn't name a premium range. */
const NAMING_DIGITS_MIN = 2
const E164_DIGITS_MIN = 7

export function parseDestination(e164: string): Destination {
  const number = parsePhoneNumberFromString(e164)
  if (!number) return { country: null, isPremium: true }
  if (number.isNonGeographic())
    return { country: null, isPremium: number.countryCallingCode !== TOLL_FREE_CODE }
  return { country: number.country ?? null, isPremium: isPremium(number, e164) }
}

/** Exchanges ignore digits after a complete number, so an overlong number is charged as its beginning. */
function isPremium(number: PhoneNumber, e164: string): boolean {
  if (number.isValid()) return PREMIUM_TYPES.includes(number.getType())
  for (let length = e164.length; length > E164_DIGITS_MIN; length--) {
    const beginning = parsePhoneNumberFromString(e164.slice(0, length))
    if (PREMIUM_TYPES.includes(beginning?.getType())) return true
  }
  return false
}

/**
 * Allows the number's own country and the prefixes in its settings. In every country, premium numbers need a prefix
 * that names their range.
 */
export function isAllowedDestination(
  { e164 }: { e164: string },
  { allowedPrefixes }: Pick<NumberSettings, 'allowedPrefixes'>,
  to: string,
): boolean {
  const { country, isPremium } = parseDestination(to)
  const prefixes = allowedPrefixes.filter((prefix) => to.startsWith(prefix))
  if (isPremium) return prefixes.some((prefix) => namesRange(prefix, to))
  return prefixes.length > 0 || (country !== null && country === parseDestination(e164).country)
}

function namesRange(prefix: string, to: string): boolean {
  const number = parsePhoneNumberFromString(to)
  if (!number) return prefix === to
  const digits = number.isNonGeographic() ? 0 : NAMING_DIGITS_MIN
  return prefix.length >= `+${number.countryCallingCode}`.length + digits
}

/** Company names and short codes send messages but don't receive them. */
export const isReachable = (peer: string): boolean => /^\+[1-9]\d{6,14}$/.test(peer)
