import { t } from '../text.ts'

const DAYS = [t`Sunday`, t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`]
const MONTHS = [
  ...[t`January`, t`February`, t`March`, t`April`, t`May`, t`June`, t`July`],
  ...[t`August`, t`September`, t`October`, t`November`, t`December`],
]
/** In expressions, whatever the language. */
const DAY_CODES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const MONTH_CODES = [
  ...['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL'],
  ...['AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
]
const TIMES_MAX = 4

/** Quotes the expression if it has no short description. */
export function describeCron(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/)
  const times = timesOf(minute, hour)
  const days = daysOf(day, weekday)
  const months = month === '*' ? '' : listOf(month, monthName)
  if (times === null || days === null || months === null) return t`On the schedule ${cron}`
  const text = times.isRepeated ? [times.text, days.repeated] : [days.text, times.text]
  const everyMonth = text.filter(Boolean).join(' ')
  const sentence = months ? t`${everyMonth} in ${months}` : everyMonth
  return sentence[0]!.toUpperCase() + sentence.slice(1)
}

/** Such as "at 09:00 and 17:00", or how often within a day. */
function timesOf(minute: string, hour: string): { text: string; isRepeated: boolean } | null {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (minute === '*' || step)
    return hour === '*' ? { text: everyMinutes(Number(step ?? 1)), isRepeated: true } : null
  if (!/^\d+$/.test(minute)) return null
  const hours = hour === '*' ? '1' : /^\*\/(\d+)$/.exec(hour)?.[1]
  if (hours) {
    const interval = everyHours(Number(hours))
    const text = Number(minute) === 0 ? interval : t`${interval} at ${minute} minutes past`
    return { text, isRepeated: true }
  }
  const list = hour.split(',')
  if (list.length > TIMES_MAX || !list.every((each) => /^\d+$/.test(each))) return null
  const times = list.map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`)
  return { text: t`at ${join(times)}`, isRepeated: false }
}

const everyMinutes = (count: number) => (count === 1 ? t`every minute` : t`every ${count} minutes`)
const everyHours = (count: number) => (count === 1 ? t`every hour` : t`every ${count} hours`)

/** `text` begins a sentence, `repeated` follows "every hour". */
function daysOf(day: string, weekday: string): { text: string; repeated: string } | null {
  if (day === '*' && weekday === '*') return { text: t`every day`, repeated: '' }
  if (weekday === '*') {
    const text = daysOfMonth(day)
    return text === null ? null : { text, repeated: text }
  }
  if (day !== '*') return null
  if (['1-5', 'MON-FRI'].includes(weekday.toUpperCase()))
    return { text: t`every weekday`, repeated: t`on weekdays` }
  const days = listOf(weekday, dayName)
  return days === null ? null : { text: t`every ${days}`, repeated: t`on ${days}` }
}

function daysOfMonth(day: string): string | null {
  if (day === '1') return t`monthly on the 1st`
  if (day === 'L') return t`on the last day of every month`
  const days = listOf(day, (text) => (/^\d+$/.test(text) ? text : null))
  return days === null ? null : t`on day ${days} of every month`
}

/** Returns null if a value has no name. */
function listOf(field: string, nameOf: (text: string) => string | null): string | null {
  const names = field.split(',').map(nameOf)
  return names.includes(null) ? null : join(names as string[])
}

const dayName = (text: string) =>
  DAYS[/^\d+$/.test(text) ? Number(text) % DAYS.length : DAY_CODES.indexOf(text.toUpperCase())] ?? null

const monthName = (text: string) =>
  MONTHS[/^\d+$/.test(text) ? Number(text) - 1 : MONTH_CODES.indexOf(text.toUpperCase())] ?? null

const join = (parts: string[]) =>
  parts.length === 1 ? parts[0]! : t`${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`
