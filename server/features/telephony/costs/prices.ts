import { dictionary } from '../../../../contract/dictionary.ts'

/** Rough, high estimates in millionths of a US dollar, used until the carrier reports its amount. */
interface Prices {
  /** Per minute begun. */
  inboundCall: number
  outboundCall: number
  /** Per segment. */
  outboundSms: number
}

/** The longest prefix counts. */
const BY_PREFIX: Readonly<Record<string, Prices>> = dictionary({
  '+1': { inboundCall: 8500, outboundCall: 14_000, outboundSms: 11_300 },
  '+31': { inboundCall: 10_000, outboundCall: 50_000, outboundSms: 108_000 },
  '+33': { inboundCall: 10_000, outboundCall: 45_000, outboundSms: 80_000 },
  '+34': { inboundCall: 10_000, outboundCall: 45_000, outboundSms: 85_000 },
  '+39': { inboundCall: 10_000, outboundCall: 50_000, outboundSms: 93_000 },
  '+41': { inboundCall: 10_000, outboundCall: 80_000, outboundSms: 82_000 },
  '+43': { inboundCall: 10_000, outboundCall: 60_000, outboundSms: 97_000 },
  '+44': { inboundCall: 10_000, outboundCall: 30_000, outboundSms: 52_000 },
  '+46': { inboundCall: 10_000, outboundCall: 45_000, outboundSms: 61_000 },
  '+48': { inboundCall: 10_000, outboundCall: 45_000, outboundSms: 44_000 },
  '+49': { inboundCall: 10_000, outboundCall: 50_000, outboundSms: 112_000 },
  '+61': { inboundCall: 10_000, outboundCall: 75_000, outboundSms: 52_000 },
})

const ELSEWHERE: Prices = { inboundCall: 20_000, outboundCall: 150_000, outboundSms: 120_000 }

/** Per segment, in every country. */
const INBOUND_SMS = 8300
/** Both directions, per minute begun. The carrier doesn't report it with the call. */
const SPEECH = 70_000

const pricesOf = (e164: string): Prices => {
  const prefix = Object.keys(BY_PREFIX)
    .filter((prefix) => e164.startsWith(prefix))
    .reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '')
  return BY_PREFIX[prefix] ?? ELSEWHERE
}

type Direction = 'inbound' | 'outbound'

export function estimateLeg(direction: Direction, to: string, seconds: number): string {
  const { inboundCall, outboundCall } = pricesOf(to)
  return dollars((direction === 'inbound' ? inboundCall : outboundCall) * minutes(seconds))
}

export const estimateSpeech = (seconds: number): string => dollars(SPEECH * minutes(seconds))

export const estimateSms = (direction: Direction, to: string, segments: number): string =>
  dollars((direction === 'inbound' ? INBOUND_SMS : pricesOf(to).outboundSms) * segments)

const minutes = (seconds: number) => Math.ceil(Math.max(0, seconds) / 60)

const dollars = (micros: number) => (micros / 1_000_000).toFixed(6)
