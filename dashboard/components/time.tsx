import { useEffect, useState } from 'react'
import { createStore } from '../state/store.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400
const TICK_MS = 20_000

interface TimeProps {
  at: string
  /** The time of something that is expected, such as a retry or an expiry. */
  isExpected?: boolean
}

/** A relative time; the tooltip has the exact one. */
export function Time({ at, isExpected = false }: TimeProps) {
  const now = useNow()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)} className="whitespace-nowrap">
      {relativeTime(moment, new Date(now), isExpected)}
    </time>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const withoutYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const withYear = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

/**
 * Within a minute, a past event is `just now`, also if the clock of this device is slow; an expected one is in some
 * seconds, or `now` once it is due.
 */
export function relativeTime(moment: Date, now: Date, isExpected: boolean): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000
  const distance = Math.abs(seconds)
  if (distance >= 7 * DAY_S) {
    return (moment.getFullYear() === now.getFullYear() ? withoutYear : withYear).format(moment)
  }
  if (distance < MINUTE_S) {
    if (!isExpected) return 'just now'
    return seconds > 0 ? `in ${Math.ceil(seconds)} s` : 'now'
  }
  const length =
    distance < HOUR_S
      ? `${Math.floor(distance / MINUTE_S)} min`
      : distance < DAY_S
        ? `${Math.floor(distance / HOUR_S)} h`
        : `${Math.floor(distance / DAY_S)} d`
  return seconds > 0 ? `in ${length}` : `${length} ago`
}

/** One timer for all times on the page. */
const clock = createStore(0)
let subscribers = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time of the last tick, or of the first rendering if that is later. */
function useNow(): number {
  const [mountedAt] = useState(() => Date.now())
  useEffect(() => {
    if (subscribers++ === 0) timer = setInterval(() => clock.set(Date.now()), TICK_MS)
    return () => {
      if (--subscribers === 0) clearInterval(timer)
    }
  }, [])
  return Math.max(clock.use(), mountedAt)
}
