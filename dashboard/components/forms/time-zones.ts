import { LOCALE } from '../../../contract/text.ts'

const MATCHES_MAX = 50

interface Zones {
  all: readonly string[]
  /** Listed first without a search, such as the browser's own. */
  first: readonly string[]
}

/** Every word must match; zones with a city that starts with the search come first. */
export function matchTimeZones(search: string, { all, first }: Zones, at = new Date()): string[] {
  const zones = [...new Set([...first, ...all])]
  const words = fold(search).split(' ').filter(Boolean)
  if (words.length === 0) return zones.slice(0, MATCHES_MAX)
  const isOffset = words.some((word) => /^(gmt|utc)?[+-]?\d/.test(word))
  const textOf = (zone: string) => fold(isOffset ? `${zone} ${zoneOffset(zone, at)}` : zone)
  const startsCity = (zone: string) => fold(zone.split('/').at(-1)!).startsWith(words[0]!)
  return zones
    .filter((zone) => words.every((word) => textOf(zone).includes(word.replace(/^utc(?=[+-])/, 'gmt'))))
    .toSorted((left, right) => Number(startsCity(right)) - Number(startsCity(left)))
    .slice(0, MATCHES_MAX)
}

const fold = (text: string) => zoneLabel(text).toLowerCase().replaceAll('/', ' ')

/** `America/New York`. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ')

/** `GMT+1`, `GMT-3:30`; empty for a zone this browser doesn't know. */
export function zoneOffset(timeZone: string, at = new Date()): string {
  try {
    const parts = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return ''
  }
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
