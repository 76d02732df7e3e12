import { t } from '../../contract/text.ts'

/** The browser's own variant of the page's language: an American reads `Nov 18, 9:00 AM`, a Briton `18 Nov, 09:00`. */
export function dateLocale(
  pageLanguage = globalThis.document?.documentElement.lang || 'en',
  preferred: readonly string[] = globalThis.navigator?.languages ?? [],
): string {
  return preferred.find((each) => each.split('-')[0]!.toLowerCase() === pageLanguage) ?? pageLanguage
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Cached: creating a format takes longer than using it. */
function formatOf(options: Intl.DateTimeFormatOptions, locale = dateLocale()): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

/** `Nov 15`, with the year if it differs. */
export function formatDate(at: Date, now = new Date(), locale?: string): string {
  return formatOf({ ...DATE, ...yearOf(at.getFullYear(), now.getFullYear()) }, locale).format(at)
}

const DAY_MS = 86_400_000

/** By the browser's day: `Today`, `Yesterday`, otherwise `Nov 15`. */
export function dayLabel(at: Date, now: Date): string {
  const day = at.toDateString()
  if (day === now.toDateString()) return t`Today`
  if (day === new Date(now.getTime() - DAY_MS).toDateString()) return t`Yesterday`
  return formatDate(at, now)
}

/** For server figures, which count days in UTC: `Nov 15`, with the year if it differs. */
export function formatDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  const year = yearOf(day.getUTCFullYear(), new Date().getUTCFullYear())
  return formatOf({ ...DATE, ...year, timeZone: 'UTC' }).format(day)
}

/** For server figures, which count days in UTC: `Fri, Nov 13`. */
export const formatWeekday = (date: string): string =>
  formatOf({ weekday: 'short', ...DATE, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))

/** `November`, with the year if it differs. */
export function formatMonth(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  const year = yearOf(day.getUTCFullYear(), new Date().getUTCFullYear())
  return formatOf({ month: 'long', ...year, timeZone: 'UTC' }).format(day)
}

interface MomentOptions {
  timeZone?: string
  now?: Date
  locale?: string
}

/** `Wed, Nov 18, 9:00 AM`, with the year if it differs. */
export function formatMoment(at: string, { timeZone, now = new Date(), locale }: MomentOptions = {}): string {
  const moment = new Date(at)
  const year = (time: Date) => formatOf({ year: 'numeric', timeZone }, 'en').format(time)
  const options = { weekday: 'short', ...DATE, hour: hourOf(locale), minute: '2-digit', timeZone } as const
  return formatOf({ ...options, ...yearOf(year(moment), year(now)) }, locale).format(moment)
}

/** `Wednesday, Nov 18` */
export const formatLongDay = (at: string): string =>
  formatOf({ weekday: 'long', ...DATE }).format(new Date(at))

/** In a list: `9:00 AM` today and yesterday, `Fri` in the week before, otherwise `Nov 15`. */
export function formatRecent(at: string, now = new Date(), locale?: string): string {
  const moment = new Date(at)
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const days = (midnight.getTime() - moment.getTime()) / 86_400_000
  if (days <= 1) return formatClock(at, locale)
  if (days <= 6) return formatOf({ weekday: 'short' }, locale).format(moment)
  return formatDate(moment, now, locale)
}

/** `9:00 AM` */
export const formatClock = (at: string, locale?: string): string =>
  formatOf({ hour: hourOf(locale), minute: '2-digit' }, locale).format(new Date(at))

/** Replaces times such as `09:00` with the locale's, such as `9:00 AM`. */
export function localizeClock(sentence: string, locale = dateLocale()): string {
  const format = formatOf({ hour: hourOf(locale), minute: '2-digit', timeZone: 'UTC' }, locale)
  return sentence.replace(CLOCK, (_, hour, minute) =>
    format.format(new Date(Date.UTC(2000, 0, 1, Number(hour), Number(minute)))),
  )
}

const CLOCK = /\b([01]\d|2[0-3]):([0-5]\d)\b/g

/** `9:00 AM`, but `09:00`. */
const hourOf = (locale?: string) =>
  formatOf({ hour: 'numeric' }, locale).resolvedOptions().hour12 ? 'numeric' : '2-digit'

export const formatExact = (at: string, locale?: string): string =>
  formatOf({ dateStyle: 'medium', timeStyle: 'long' }, locale).format(new Date(at))

const DATE = { month: 'short', day: 'numeric' } as const

const yearOf = (year: number | string, current: number | string) =>
  year === current ? {} : ({ year: 'numeric' } as const)
