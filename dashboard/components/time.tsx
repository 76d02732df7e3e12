import { useEffect } from 'react'
import { createStore } from '../state/store.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400
const TICK_MS = 20_000

/** A relative time; the tooltip has the exact one. */
export function Time({ at }: { at: string }) {
  const now = useNow()
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)} className="whitespace-nowrap">
      {relative((moment.getTime() - now) / 1000, moment)}
    </time>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const thisYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const otherYear = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

function relative(seconds: number, moment: Date): string {
  const distance = Math.abs(seconds)
  if (distance >= 7 * DAY_S) {
    return (moment.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(moment)
  }
  if (distance < MINUTE_S) return seconds > 10 ? 'in a moment' : 'just now'
  const length =
    distance < HOUR_S
      ? `${Math.floor(distance / MINUTE_S)} min`
      : distance < DAY_S
        ? `${Math.floor(distance / HOUR_S)} h`
        : `${Math.floor(distance / DAY_S)} d`
  return seconds > 0 ? `in ${length}` : `${length} ago`
}

/** One timer for all times on the page. */
const clock = createStore(Date.now())
let subscribers = 0
let timer: ReturnType<typeof setInterval> | undefined

function useNow(): number {
  useEffect(() => {
    if (subscribers++ === 0) {
      clock.set(Date.now())
      timer = setInterval(() => clock.set(Date.now()), TICK_MS)
    }
    return () => {
      if (--subscribers === 0) clearInterval(timer)
    }
  }, [])
  return Math.max(clock.use(), 0)
}
