import { Cron } from 'croner'
import { SCHEDULE_LIMITS } from '../../../../contract/agents/schedule-options.ts'
import { badField } from '../../../errors.ts'

const FIELDS = 5
/** Other characters differ between schedulers. */
const FIELD = /^[\dA-Za-z*,/-]+$/
/** Enough to include a five-field expression's shortest interval. */
const INTERVALS_CHECKED = 100
const MINUTE_MS = 60_000

export interface Timing {
  cron: string
  timeZone: string
}

/** A local time skipped by daylight saving runs after the gap. One that occurs twice runs the first time. */
export const timesAfter = ({ cron, timeZone }: Timing, after: Date, count: number): Date[] =>
  new Cron(cron, { timezone: timeZone, paused: true }).nextRuns(count, after)

export const timeAfter = (timing: Timing, after: Date): Date | null => timesAfter(timing, after, 1)[0] ?? null

/** `path` begins with body or query. */
export function requireTiming(timing: Timing, now: Date, path: string): void {
  const fields = timing.cron.split(/\s+/)
  if (fields.length !== FIELDS)
    throw badField(path, 'must have five fields: minute, hour, day of the month, month, day of the week')
  if (!fields.every((field) => FIELD.test(field)))
    throw badField(path, 'must use numbers, names such as MON or JAN, L, and the signs * , - /')
  const times = parseTimes(timing, now, path)
  if (times.length === 0) throw badField(path, 'must have a time in the future')
  const isTooOften = times.some(
    (time, index) =>
      index > 0 && time.getTime() - times[index - 1]!.getTime() < SCHEDULE_LIMITS.intervalMinutes * MINUTE_MS,
  )
  if (isTooOften)
    throw badField(path, `must have at least ${SCHEDULE_LIMITS.intervalMinutes} minutes between two times`)
}

function parseTimes(timing: Timing, now: Date, path: string): Date[] {
  try {
    return timesAfter(timing, now, INTERVALS_CHECKED)
  } catch {
    throw badField(path, 'must be a cron expression, such as 0 9 * * 1-5')
  }
}
