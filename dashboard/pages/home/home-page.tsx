import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { t } from '../../../contract/text.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Page } from '../../frame/page.tsx'
import { FirstSteps } from './first-steps.tsx'
import { type Home, homeQuery, refreshHome } from './home-query.ts'
import { Installation } from './installation.tsx'
import { Welcome } from './welcome.tsx'

/** Not loaded for new members, who have no entries yet. */
const Overview = lazy(async () => ({ default: (await import('./overview.tsx')).Overview }))

export function HomePage() {
  const { user } = useSession()
  const home = useQuery({
    ...homeQuery,
    refetchInterval: ({ state: { data } }) => (data && waitsForCall(data) ? POLL_MS : false),
  })
  const { data } = home
  const isNew = data !== undefined && hasOpenSteps(data)
  useLiveHome(data !== undefined)
  useReportVisit(data !== undefined)
  return (
    <Page title={isNew ? t`Welcome, ${user.name.split(' ')[0]!}` : t`Home`}>
      {!data && !home.error && <SkeletonRows rows={4} />}
      {!data && home.error && <Failure error={home.error} onRetry={() => home.refetch()} />}
      {data && (
        <div className="flex max-w-extra-wide flex-col gap-32 px-16 pt-24 pb-48 md:px-24">
          <Welcome home={data} />
          <Suspense fallback={<SkeletonRows rows={4} />}>
            {hasContent(data) ? (
              <Overview home={data}>{isNew && <FirstSteps home={data} />}</Overview>
            ) : (
              <div className="flex max-w-wide flex-col gap-32">
                <FirstSteps home={data} />
                {data.health && <Installation health={data.health} />}
              </div>
            )}
          </Suspense>
        </div>
      )}
    </Page>
  )
}

/** The server writes a key's last use within a minute, and no event reports it. */
const POLL_MS = 5000
const waitsForCall = ({ firstSteps: { key, call, hidden } }: Home) => key && !call && !hidden

const hasOpenSteps = ({ firstSteps: { hidden, ...done } }: Home) =>
  !hidden && !Object.values(done).every(Boolean)

/** A new member without entries sees only the first steps. */
const hasContent = (home: Home) => {
  const { attention, news, projects, usage } = home
  return attention.length + news.length + projects.length + usage.calls > 0 || !hasOpenSteps(home)
}

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
