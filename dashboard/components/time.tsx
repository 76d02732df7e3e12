import { useEffect, useState } from 'react'
import { LOCALE, t } from '../../contract/text.ts'
import { createStore } from '../state/store.ts'
import { formatDate, formatExact } from './dates.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400
const TICK_MS = 20_000

interface TimeProps {
  at: string
  isExpected?: boolean
}

export function Time({ at, isExpected = false }: TimeProps) {
  const now = useNow()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap">
      {relativeTime(moment, new Date(now), isExpected)}
    </time>
  )
}

/**
 * Within a minute, a past event is `just now`, even if this device's clock is slow; an expected one is in some seconds,
 * or `now` once due. Past times are truncated and future ones rounded: something that expires in a week is due `in 7
 * days` until half a day has passed.
 */
export function relativeTime(moment: Date, now: Date, isExpected: boolean): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000
  const distance = Math.abs(seconds)
  if (distance < MINUTE_S) {
    if (!isExpected) return t`just now`
    return seconds > 0 ? t`in ${Math.ceil(seconds)} s` : t`now`
  }
  const toWhole = seconds > 0 ? Math.round : Math.floor
  const [minutes, hours, days] = [MINUTE_S, HOUR_S, DAY_S].map((unit) => toWhole(distance / unit))
  if (days! > DAYS_MAX || (seconds < 0 && days! === DAYS_MAX)) return formatDate(moment, now)
  if (hours! >= 24) return inDays.format(seconds > 0 ? days! : -days!, 'day')
  const length = minutes! < 60 ? `${minutes} min` : `${hours} h`
  return seconds > 0 ? t`in ${length}` : t`${length} ago`
}

const DAYS_MAX = 7
const inDays = new Intl.RelativeTimeFormat(LOCALE, { style: 'short' })

/** One timer for all times on the page. */
const clock = createStore(0)
let subscribers = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The last tick, or the first render if later. */
export function useNow(): number {
  const [mountedAt] = useState(() => Date.now())
  useEffect(() => {
    if (subscribers++ === 0) timer = setInterval(() => clock.set(Date.now()), TICK_MS)
    return () => {
      if (--subscribers === 0) clearInterval(timer)
    }
  }, [])
  return Math.max(clock.use(), mountedAt)
}
