import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { door } from './api/client.ts'
import { queryClient } from './api/query-client.ts'
import { sessionQuery } from './api/session.ts'
import { AppFrame } from './frame/app-frame.tsx'
import { Root } from './frame/root.tsx'
import { FeedbackPage } from './pages/feedback/feedback-page.tsx'
import { SubmissionPanel } from './pages/feedback/submission-panel.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { asFeedbackStatus } from './pages/queue/queue-status.ts'
import { nextPath } from './pages/sign-in/next-path.ts'
import { SignInPage } from './pages/sign-in/sign-in-page.tsx'
import { ErrorPage, FramelessErrorPage } from './pages/states/error-page.tsx'
import { NotFoundPage } from './pages/states/not-found-page.tsx'
import { OperatorsOnly } from './pages/states/operators-only.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  errorComponent: FramelessErrorPage,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  staticData: { title: 'Sign in' },
  validateSearch: ({ next }: { next?: unknown }) => (typeof next === 'string' ? { next } : {}),
  beforeLoad: async ({ search }) => {
    // Asked afresh rather than read from the cache, which may still hold the session that has just ended.
    const session = await door.accounts.session().catch(() => null)
    if (session) throw redirect({ href: nextPath(search.next) })
  },
  component: SignInPage,
})

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  staticData: { title: 'Set up' },
  component: lazyRouteComponent(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
})

/** Everything below is for signed-in people. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (!session)
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
  },
  component: AppFrame,
  errorComponent: FramelessErrorPage,
})

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  staticData: { title: 'Home' },
  component: HomePage,
})

const feedback = createRoute({
  getParentRoute: () => app,
  path: 'feedback',
  staticData: { title: 'Feedback' },
  component: FeedbackPage,
})

const submission = createRoute({
  getParentRoute: () => feedback,
  path: '$id',
  staticData: { title: 'Submission' },
  component: SubmissionPanel,
})

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: 'settings/api-keys',
  staticData: { title: 'API keys' },
  component: lazyRouteComponent(() => import('./pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})

const newApiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: 'new',
  staticData: { title: 'New API key' },
  component: lazyRouteComponent(() => import('./pages/api-keys/new-key-dialog.tsx'), 'NewKeyDialog'),
})

const operate = createRoute({ getParentRoute: () => app, path: 'operate', component: OperatorsOnly })

const queue = createRoute({
  getParentRoute: () => operate,
  path: 'feedback',
  staticData: { title: 'Feedback queue' },
  validateSearch: ({ status }: { status?: unknown }) => {
    const known = asFeedbackStatus(status)
    return known ? { status: known } : {}
  },
  component: lazyRouteComponent(() => import('./pages/queue/queue-page.tsx'), 'QueuePage'),
})

const queued = createRoute({
  getParentRoute: () => queue,
  path: '$id',
  staticData: { title: 'Queued feedback' },
  component: lazyRouteComponent(() => import('./pages/queue/queued-panel.tsx'), 'QueuedPanel'),
})

const jobs = createRoute({
  getParentRoute: () => operate,
  path: 'jobs',
  staticData: { title: 'Jobs' },
  component: lazyRouteComponent(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
})

const elsewhere = createRoute({
  getParentRoute: () => app,
  path: '$',
  staticData: { title: 'Not found' },
  component: NotFoundPage,
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setup,
    app.addChildren([
      home,
      feedback.addChildren([submission]),
      apiKeys.addChildren([newApiKey]),
      operate.addChildren([queue.addChildren([queued]), jobs]),
      elsewhere,
    ]),
  ]),
  context: { queries: queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    title?: string
  }
}
