/**
 * Rough estimates in millionths of a US dollar, on the high side. An estimate counts until the carrier reports its own amount.
 */
interface Prices {
  /** Per minute that has begun. */
  received: number
  made: number
  /** Per segment. */
  sms: number
}

/** The longest prefix counts. */
const BY_PREFIX: Readonly<Record<string, Prices>> = {
  '+1': { received: 8500, made: 14_000, sms: 11_300 },
  '+31': { received: 10_000, made: 50_000, sms: 108_000 },
  '+33': { received: 10_000, made: 45_000, sms: 80_000 },
  '+34': { received: 10_000, made: 45_000, sms: 85_000 },
  '+39': { received: 10_000, made: 50_000, sms: 93_000 },
  '+41': { received: 10_000, made: 80_000, sms: 82_000 },
  '+43': { received: 10_000, made: 60_000, sms: 97_000 },
  '+44': { received: 10_000, made: 30_000, sms: 52_000 },
  '+46': { received: 10_000, made: 45_000, sms: 61_000 },
  '+48': { received: 10_000, made: 45_000, sms: 44_000 },
  '+49': { received: 10_000, made: 50_000, sms: 112_000 },
  '+61': { received: 10_000, made: 75_000, sms: 52_000 },
}

const ELSEWHERE: Prices = { received: 20_000, made: 150_000, sms: 120_000 }

/** Received messages, in every country of the table. */
const SMS_RECEIVED = 8300
/** Speech in both directions, per minute that has begun. The carrier does not report it with the call. */
const SPEECH = 70_000

const pricesOf = (e164: string): Prices => {
  const prefix = Object.keys(BY_PREFIX)
    .filter((prefix) => e164.startsWith(prefix))
    .reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '')
  return BY_PREFIX[prefix] ?? ELSEWHERE
}

type Direction = 'inbound' | 'outbound'

/** A leg of a call: inbound to the number of the organization, or outbound to another one. */
export function estimateLeg(direction: Direction, to: string, seconds: number): string {
  const { received, made } = pricesOf(to)
  return dollars((direction === 'inbound' ? received : made) * minutes(seconds))
}

export const estimateSpeech = (seconds: number): string => dollars(SPEECH * minutes(seconds))

export const estimateSms = (direction: Direction, to: string, segments: number): string =>
  dollars((direction === 'inbound' ? SMS_RECEIVED : pricesOf(to).sms) * segments)

const minutes = (seconds: number) => Math.ceil(Math.max(0, seconds) / 60)

const dollars = (micros: number) => (micros / 1_000_000).toFixed(6)
