import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Page } from '../../frame/page.tsx'
import { FirstSteps } from './first-steps.tsx'
import { type Home, homeQuery } from './home-query.ts'
import { Installation } from './installation.tsx'
import { useLiveHome } from './use-live-home.ts'
import { useReportVisit } from './use-report-visit.ts'
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
    <Page title={isNew ? `Welcome, ${user.name.split(' ')[0]}` : 'Home'}>
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

/** Polls until the first request: the server writes a key's last use within a minute, and no event reports it. */
const POLL_MS = 5000
const waitsForCall = ({ firstSteps: { key, call, hidden } }: Home) => key && !call && !hidden

const hasOpenSteps = ({ firstSteps: { hidden, ...done } }: Home) =>
  !hidden && !Object.values(done).every(Boolean)

/** A new member without entries sees only the first steps. */
const hasContent = (home: Home) => {
  const { attention, news, projects, usage } = home
  return attention.length + news.length + projects.length + usage.calls > 0 || !hasOpenSteps(home)
}
