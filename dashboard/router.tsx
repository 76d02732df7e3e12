import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { HomePage } from './pages/home/home-page.tsx'
import { parseFeedbackStatus } from './pages/queue/queue-status.ts'
import { ErrorPage } from './pages/states/error-page.tsx'
import { agentsRoutes } from './routes/agents.ts'
import { authRoutes } from './routes/auth-routes.ts'
import { billingRoutes } from './routes/billing.ts'
import { chatRoutes } from './routes/chat.ts'
import { connectedRoute, connectionsRoutes } from './routes/connections.ts'
import { filesRoutes } from './routes/files.ts'
import { guardrailsRoute } from './routes/guardrails.ts'
import { mcpServersRoutes } from './routes/mcp-servers.ts'
import { memoryRoutes } from './routes/memory.ts'
import { inbox, unsubscribe } from './routes/notifications.ts'
import { projectsRoutes } from './routes/projects.ts'
import { app, root } from './routes/root.tsx'
import { approvalsRoutes, runsRoutes } from './routes/runs.ts'
import { schedulesRoute } from './routes/schedules.ts'
import { settingsRoutes } from './routes/settings.ts'
import { skillsRoutes } from './routes/skills.ts'
import { telephonyRoutes } from './routes/telephony.ts'
import { usageRoute } from './routes/usage.ts'
import { webhooksRoutes } from './routes/webhooks.ts'
import { textParams } from './state/text-params.ts'

const NotFoundPage = lazyRouteComponent(() => import('./pages/states/not-found-page.tsx'), 'NotFoundPage')

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
  component: lazyRouteComponent(() => import('./pages/feedback/feedback-page.tsx'), 'FeedbackPage'),
})

const submission = createRoute({
  getParentRoute: () => feedback,
  path: '$id',
  staticData: { title: 'Submission' },
  component: lazyRouteComponent(() => import('./pages/feedback/submission-panel.tsx'), 'SubmissionPanel'),
})

const operate = createRoute({
  getParentRoute: () => app,
  path: 'operate',
  component: lazyRouteComponent(() => import('./pages/settings/settings-layout.tsx'), 'OperatorLayout'),
})

const queue = createRoute({
  getParentRoute: () => operate,
  path: 'feedback',
  staticData: { title: 'Feedback queue' },
  validateSearch: ({ status }: { status?: unknown }) => {
    const known = parseFeedbackStatus(status)
    return known ? { status: known } : {}
  },
  component: lazyRouteComponent(() => import('./pages/queue/queue-page.tsx'), 'QueuePage'),
})

const queueItem = createRoute({
  getParentRoute: () => queue,
  path: '$id',
  staticData: { title: 'Queued feedback' },
  component: lazyRouteComponent(() => import('./pages/queue/queue-item-panel.tsx'), 'QueueItemPanel'),
})

const health = createRoute({
  getParentRoute: () => operate,
  path: 'health',
  staticData: { title: 'Health' },
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
})

const jobs = createRoute({
  getParentRoute: () => operate,
  path: 'jobs',
  staticData: { title: 'Jobs' },
  component: lazyRouteComponent(() => import('./pages/jobs/jobs-page.tsx'), 'JobsPage'),
})

const providerEndpoints = createRoute({
  getParentRoute: () => operate,
  path: 'connectors',
  staticData: { title: 'Provider events' },
  component: lazyRouteComponent(
    () => import('./pages/connector-operations/endpoints-page.tsx'),
    'ObservedEndpointsPage',
  ),
})

const providerEvents = createRoute({
  getParentRoute: () => operate,
  path: 'connectors/events',
  staticData: { title: 'Provider events' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'endpoint'),
  component: lazyRouteComponent(
    () => import('./pages/connector-operations/events-page.tsx'),
    'ObservedEventsPage',
  ),
})

const organizations = createRoute({
  getParentRoute: () => operate,
  path: 'organizations',
  staticData: { title: 'Organizations' },
  component: lazyRouteComponent(
    () => import('./pages/organizations/organizations-page.tsx'),
    'OrganizationsPage',
  ),
})

const organization = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/$id',
  staticData: { title: 'Organization' },
  component: lazyRouteComponent(
    () => import('./pages/organizations/organization-page.tsx'),
    'OrganizationPage',
  ),
})

const erasures = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/erasures',
  staticData: { title: 'Erasures' },
  component: lazyRouteComponent(() => import('./pages/organizations/erasures-page.tsx'), 'ErasuresPage'),
})

const notFoundRoute = createRoute({
  getParentRoute: () => app,
  path: '$',
  staticData: { title: 'Not found' },
  component: NotFoundPage,
})

export const router = createRouter({
  routeTree: root.addChildren([
    ...authRoutes,
    unsubscribe,
    connectedRoute,
    app.addChildren([
      home,
      inbox,
      projectsRoutes,
      chatRoutes,
      agentsRoutes,
      memoryRoutes,
      skillsRoutes,
      runsRoutes,
      approvalsRoutes,
      schedulesRoute,
      guardrailsRoute,
      mcpServersRoutes,
      connectionsRoutes,
      filesRoutes,
      usageRoute,
      billingRoutes,
      webhooksRoutes,
      telephonyRoutes,
      feedback.addChildren([submission]),
      settingsRoutes,
      operate.addChildren([
        queue.addChildren([queueItem]),
        health,
        jobs,
        providerEndpoints,
        providerEvents,
        organizations,
        organization,
        erasures,
      ]),
      notFoundRoute,
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
