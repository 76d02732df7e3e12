import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'

export interface Destination {
  /** Two letters; null for a number that belongs to no country, such as that of a satellite phone. */
  country: string | null
  /** The call or message costs more than to an ordinary number: premium rate, shared cost, satellite. */
  isPremium: boolean
}

/** Numbers whose price the called party or a network sets. */
const PREMIUM_TYPES: readonly (string | undefined)[] = [
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
]
/** The international toll-free service, the only code without a country that costs nothing. */
const TOLL_FREE_CODE = '800'
/** A shorter prefix, such as a country, does not name a range of premium-rate numbers. */
const NAMING_DIGITS_MIN = 2
const E164_DIGITS_MIN = 7

export function destinationOf(e164: string): Destination {
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
 * Whether calls and messages of a number may go to another one: in its own country, or where a prefix of its settings
 * allows. Premium numbers need a prefix that names their range in every country.
 */
export function isAllowedDestination(
  { e164 }: { e164: string },
  { allowedPrefixes }: Pick<NumberSettings, 'allowedPrefixes'>,
  to: string,
): boolean {
  const { country, isPremium } = destinationOf(to)
  const prefixes = allowedPrefixes.filter((prefix) => to.startsWith(prefix))
  if (isPremium) return prefixes.some((prefix) => namesRange(prefix, to))
  return prefixes.length > 0 || (country !== null && country === destinationOf(e164).country)
}

function namesRange(prefix: string, to: string): boolean {
  const number = parsePhoneNumberFromString(to)
  if (!number) return prefix === to
  const digits = number.isNonGeographic() ? 0 : NAMING_DIGITS_MIN
  return prefix.length >= `+${number.countryCallingCode}`.length + digits
}

/** Names of companies and short codes send messages, but do not receive them. */
export const isReachable = (peer: string): boolean => /^\+[1-9]\d{6,14}$/.test(peer)
