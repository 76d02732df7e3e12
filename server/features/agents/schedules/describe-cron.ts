import { dictionary } from '../../../../contract/dictionary.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const NAMED_DAYS: Record<string, string> = dictionary({ 1: 'first', L: 'last' })
const TIMES_MAX = 4

/** Quotes the expression if it has no short description. */
export function describeCron(cron: string): string {
  const [minute, hour, day, month, weekday] = cron.trim().split(/\s+/)
  const times = timesOf(minute!, hour!)
  const days = daysOf(day!, weekday!)
  const months = month === '*' ? '' : listOf(month!, monthName)
  if (times === null || days === null || months === null) return `On the schedule ${cron}`
  const text = times.isRepeated ? [times.text, days.repeated] : [days.text, times.text]
  const sentence = [...text, months && `in ${months}`].filter(Boolean).join(' ')
  return sentence[0]!.toUpperCase() + sentence.slice(1)
}

/** Such as "at 09:00 and 17:00", or how often within a day. */
function timesOf(minute: string, hour: string): { text: string; isRepeated: boolean } | null {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (minute === '*' || step)
    return hour === '*' ? { text: every(step ?? '1', 'minute'), isRepeated: true } : null
  if (!/^\d+$/.test(minute)) return null
  const past = Number(minute) === 0 ? '' : ` at ${minute} minutes past`
  if (hour === '*') return { text: `every hour${past}`, isRepeated: true }
  const hours = /^\*\/(\d+)$/.exec(hour)?.[1]
  if (hours) return { text: `${every(hours, 'hour')}${past}`, isRepeated: true }
  const list = hour.split(',')
  if (list.length > TIMES_MAX || !list.every((each) => /^\d+$/.test(each))) return null
  const times = list.map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`)
  return { text: `at ${join(times)}`, isRepeated: false }
}

const every = (count: string, unit: string) =>
  Number(count) === 1 ? `every ${unit}` : `every ${Number(count)} ${unit}s`

/** `text` begins a sentence, `repeated` follows "every hour". */
function daysOf(day: string, weekday: string): { text: string; repeated: string } | null {
  if (day === '*' && weekday === '*') return { text: 'every day', repeated: '' }
  if (weekday === '*') {
    const days = listOf(day, (text) => (/^\d+$/.test(text) ? text : null))
    if (days === null && day !== 'L') return null
    const named = NAMED_DAYS[day]
    const text = named ? `on the ${named} day of every month` : `on day ${days} of every month`
    return { text, repeated: text }
  }
  if (day !== '*') return null
  if (['1-5', 'MON-FRI'].includes(weekday.toUpperCase()))
    return { text: 'every weekday', repeated: 'on weekdays' }
  const days = listOf(weekday, dayName)
  return days === null ? null : { text: `every ${days}`, repeated: `on ${days}` }
}

/** Returns null if a value has no name. */
function listOf(field: string, nameOf: (text: string) => string | null): string | null {
  const names = field.split(',').map(nameOf)
  return names.includes(null) ? null : join(names as string[])
}

const dayName = (text: string) => lookUpName(text, DAYS, Number(text) % DAYS.length)
const monthName = (text: string) => lookUpName(text, MONTHS, Number(text) - 1)

const lookUpName = (text: string, names: string[], index: number) =>
  (/^\d+$/.test(text)
    ? names[index]
    : names.find((name) => name.slice(0, 3).toUpperCase() === text.toUpperCase())) ?? null

const join = (parts: string[]) =>
  parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
