import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { ErrorPage } from './frame/error-page.tsx'
import { app, root } from './frame/root-route.tsx'
import { settingsRoutes } from './frame/settings-routes.ts'
import { authRoutes } from './pages/accounts/routes.ts'
import { agentsRoutes } from './pages/agents/agents/routes.ts'
import { chatRoutes } from './pages/agents/chat/routes.ts'
import { guardrailsRoute } from './pages/agents/guardrails/routes.ts'
import { mcpServersRoutes } from './pages/agents/mcp-servers/routes.ts'
import { approvalsRoutes, runsRoutes } from './pages/agents/runs/routes.ts'
import { schedulesRoute } from './pages/agents/schedules/routes.ts'
import { billingRoutes } from './pages/billing/payments/routes.ts'
import { usageRoute } from './pages/billing/usage/routes.ts'
import { inbox, unsubscribe } from './pages/comments/routes.ts'
import { connectedRoute, connectionsRoutes } from './pages/connections/connections/routes.ts'
import { parseFeedbackStatus } from './pages/feedback/queue/queue-status.ts'
import { filesRoutes } from './pages/files/files/routes.ts'
import { HomePage } from './pages/home/home-page.tsx'
import { memoryRoutes } from './pages/knowledge/memory/routes.ts'
import { skillsRoutes } from './pages/knowledge/skills/routes.ts'
import { projectsRoutes } from './pages/projects/projects/routes.ts'
import { telephonyRoutes } from './pages/telephony/routes.ts'
import { webhooksRoutes } from './pages/webhooks/routes.ts'
import { textParams } from './state/text-params.ts'

const NotFoundPage = lazyRouteComponent(() => import('./frame/not-found-page.tsx'), 'NotFoundPage')

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
  component: lazyRouteComponent(() => import('./pages/feedback/feedback/feedback-page.tsx'), 'FeedbackPage'),
})

const submission = createRoute({
  getParentRoute: () => feedback,
  path: '$id',
  staticData: { title: 'Submission' },
  component: lazyRouteComponent(
    () => import('./pages/feedback/feedback/submission-panel.tsx'),
    'SubmissionPanel',
  ),
})

const operate = createRoute({
  getParentRoute: () => app,
  path: 'operate',
  component: lazyRouteComponent(() => import('./frame/settings-layout.tsx'), 'OperatorLayout'),
})

const queue = createRoute({
  getParentRoute: () => operate,
  path: 'feedback',
  staticData: { title: 'Feedback queue' },
  validateSearch: ({ status }: { status?: unknown }) => {
    const known = parseFeedbackStatus(status)
    return known ? { status: known } : {}
  },
  component: lazyRouteComponent(() => import('./pages/feedback/queue/queue-page.tsx'), 'QueuePage'),
})

const queueItem = createRoute({
  getParentRoute: () => queue,
  path: '$id',
  staticData: { title: 'Queued feedback' },
  component: lazyRouteComponent(
    () => import('./pages/feedback/queue/queue-item-panel.tsx'),
    'QueueItemPanel',
  ),
})

const health = createRoute({
  getParentRoute: () => operate,
  path: 'health',
  staticData: { title: 'Health' },
  component: lazyRouteComponent(() => import('./pages/organizations/health/health-page.tsx'), 'HealthPage'),
})

const jobs = createRoute({
  getParentRoute: () => operate,
  path: 'jobs',
  staticData: { title: 'Jobs' },
  component: lazyRouteComponent(() => import('./pages/organizations/jobs/jobs-page.tsx'), 'JobsPage'),
})

const providerEndpoints = createRoute({
  getParentRoute: () => operate,
  path: 'connectors',
  staticData: { title: 'Provider events' },
  component: lazyRouteComponent(
    () => import('./pages/connections/operations/endpoints-page.tsx'),
    'ObservedEndpointsPage',
  ),
})

const providerEvents = createRoute({
  getParentRoute: () => operate,
  path: 'connectors/events',
  staticData: { title: 'Provider events' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'endpoint'),
  component: lazyRouteComponent(
    () => import('./pages/connections/operations/events-page.tsx'),
    'ObservedEventsPage',
  ),
})

const organizations = createRoute({
  getParentRoute: () => operate,
  path: 'organizations',
  staticData: { title: 'Organizations' },
  component: lazyRouteComponent(
    () => import('./pages/organizations/operated/organizations-page.tsx'),
    'OrganizationsPage',
  ),
})

const organization = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/$id',
  staticData: { title: 'Organization' },
  component: lazyRouteComponent(
    () => import('./pages/organizations/operated/organization-page.tsx'),
    'OrganizationPage',
  ),
})

const erasures = createRoute({
  getParentRoute: () => operate,
  path: 'organizations/erasures',
  staticData: { title: 'Erasures' },
  component: lazyRouteComponent(
    () => import('./pages/organizations/operated/erasures-page.tsx'),
    'ErasuresPage',
  ),
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
