import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { useSession } from '../../api/session.ts'
import { dateLocale } from '../../components/dates.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { type Home, homeQuery, refreshHome } from './home-query.ts'

const HomeContent = lazy(async () => ({ default: (await import('./home-content.tsx')).HomeContent }))

export function HomePage() {
  const { user } = useSession()
  const home = useQuery({
    ...homeQuery,
    refetchInterval: ({ state: { data } }) => (data && waitsForCall(data) ? POLL_MS : false),
  })
  const { data } = home
  useLiveHome(data !== undefined)
  useReportVisit(data !== undefined)
  const [now] = useState(() => new Date())
  return (
    <div data-scroll className="@container min-h-0 min-w-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-sheet flex-col gap-24 px-16 pt-16 pb-48 md:px-32 md:pt-24">
        <header>
          <p className="text-13 text-neutral-11">{today(now)}</p>
          <h1 className="break-words font-strong text-20 tracking-title md:text-28">
            {greeting(now, user.name.split(' ')[0]!)}
          </h1>
        </header>
        {!data && !home.error && <SkeletonRows rows={4} />}
        {!data && home.error && <Failure error={home.error} onRetry={() => home.refetch()} />}
        {data && (
          <Suspense fallback={<SkeletonRows rows={4} />}>
            <HomeContent home={data} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

const today = (now: Date) =>
  new Intl.DateTimeFormat(dateLocale(), { weekday: 'long', month: 'long', day: 'numeric' }).format(now)

const [MORNING, NOON, EVENING] = [5, 12, 18]

function greeting(now: Date, name: string): string {
  const hour = now.getHours()
  if (hour >= MORNING && hour < NOON) return textWithNames`Good morning, ${name}`
  if (hour >= NOON && hour < EVENING) return textWithNames`Good afternoon, ${name}`
  return textWithNames`Good evening, ${name}`
}

/** The server writes a key's last use within a minute, and no event reports it. */
const POLL_MS = 5000
const waitsForCall = ({ firstSteps: { key, call, hidden } }: Home) => key && !call && !hidden

/** Bursts of events refetch the page at most this often. */
const REFRESH_EVERY_MS = 3000
const PATH = '/api/v1/webhooks/events/live'
/** Events that can change the page. Requests received from other systems can't. */
const ON_PAGE = /^(agent\.(run|approval)|billing|comment|connection|feedback|file|project|task|webhook)\./

/**
 * Follows events only while the page is visible. `EventSource` resumes after interruptions and adds no code to the
 * bundle.
 */
function useLiveHome(isLoaded: boolean) {
  useEffect(() => {
    if (!isLoaded) return
    let stop = followIfVisible()
    const onChange = () => {
      stop()
      stop = followIfVisible()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => {
      document.removeEventListener('visibilitychange', onChange)
      stop()
    }
  }, [isLoaded])
}

function followIfVisible(): () => void {
  if (document.visibilityState !== 'visible') return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const source = new EventSource(PATH)
  source.addEventListener('event', ({ data }) => {
    const { type, direction } = JSON.parse(data as string) as { type: string; direction: string }
    if (direction !== 'internal' || !ON_PAGE.test(type)) return
    timer ??= setTimeout(() => {
      timer = undefined
      void refreshHome()
    }, REFRESH_EVERY_MS)
  })
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

/**
 * News are changes since the last visit. `keepalive` lets the request finish after the page closes. If it fails, the
 * news are listed once more.
 */
function useReportVisit(isLoaded: boolean) {
  useEffect(() => {
    if (!isLoaded) return
    const onHide = () => {
      if (document.visibilityState === 'hidden') report()
    }
    if (document.visibilityState === 'visible') report()
    document.addEventListener('visibilitychange', onHide)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      report()
    }
  }, [isLoaded])
}

function report() {
  fetch('/api/v1/home/seen', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    keepalive: true,
  }).catch(() => {})
}
