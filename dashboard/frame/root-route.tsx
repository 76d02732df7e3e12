import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  useLocation,
  useMatches,
} from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { t } from '../../contract/text.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { SendFeedback } from '../pages/feedback/feedback/send-feedback.tsx'
import { useShownTitle } from '../state/page-title.ts'
import { signInSearch, takeFragment } from '../state/stored-fragment.ts'
import { AppFrame } from './app-frame.tsx'
import { FramelessErrorPage } from './error-page.tsx'

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  errorComponent: FramelessErrorPage,
})

/** Sign-in returns to the requested page. */
export const requireSession = async ({
  context,
  location,
}: {
  context: { queries: QueryClient }
  location: { href: string; pathname: string }
}) => {
  const session = await context.queries.ensureQueryData(sessionQuery)
  if (!session) throw redirect({ to: '/sign-in', search: signInSearch(location.href) })
  const hash = takeFragment(location.href)
  if (hash) throw redirect({ to: location.pathname as '/', search: true, hash, replace: true })
}

const SuspendedPage = lazy(async () => ({
  default: (await import('../pages/organizations/suspended/suspended-page.tsx')).SuspendedPage,
}))

const OPEN_WHILE_SUSPENDED = /^\/(operate|settings\/(account|security))/

function SignedIn() {
  const { suspension } = useSession()
  const { pathname } = useLocation()
  if (!suspension || OPEN_WHILE_SUSPENDED.test(pathname)) return <AppFrame SendFeedback={SendFeedback} />
  return (
    <Suspense>
      <SuspendedPage suspension={suspension} />
    </Suspense>
  )
}

export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: requireSession,
  component: SignedIn,
  errorComponent: FramelessErrorPage,
})

export const NotFoundPage = lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage')

export const notFound = createRoute({
  getParentRoute: () => app,
  path: '$',
  staticData: { title: t`Not found` },
  component: NotFoundPage,
})

/** Sets the document title: the shown record's name, else the innermost route's title. */
function Root() {
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const shown = useShownTitle() ?? title
  useEffect(() => {
    document.title = shown ? `${shown} · Atrium` : 'Atrium'
  }, [shown])
  return <Outlet />
}
