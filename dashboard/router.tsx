import { createRouter } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { ErrorPage } from './frame/error-page.tsx'
import { app, NotFoundPage, notFound, root } from './frame/root-route.tsx'
import { movedPages, operate, settings } from './frame/settings-routes.ts'
import { accountSettings, signInRoutes } from './pages/accounts/routes.ts'
import {
  agentPolicySettings,
  agentsRoutes,
  approvalsRoutes,
  chatRoutes,
  formsRoutes,
  guardrailsRoute,
  mcpServersRoutes,
  runsRoutes,
  schedulesRoute,
} from './pages/agents/routes.ts'
import { billingSettings } from './pages/billing/routes.ts'
import { inbox, notificationSettings, unsubscribe } from './pages/comments/routes.ts'
import { connectedRoute, connectionsRoutes, integrations } from './pages/connections/connections/routes.ts'
import { customAppRoutes } from './pages/connections/connectors/routes.ts'
import { providerEventRoutes } from './pages/connections/operations/routes.ts'
import { feedbackRoutes, queueRoutes } from './pages/feedback/routes.ts'
import { filesRoutes } from './pages/files/files/routes.ts'
import { publicLinkRoutes } from './pages/files/public-links/routes.ts'
import { fileSettings } from './pages/files/settings/routes.ts'
import { home } from './pages/home/routes.ts'
import { knowledgeRoutes, memoryRoutes, skillsRoutes, webSearchSettings } from './pages/knowledge/routes.ts'
import { authorize, mcpSettings } from './pages/mcp/routes.ts'
import { modelSettings } from './pages/models/routes.ts'
import { invite, operatorRoutes, organizationSettings } from './pages/organizations/routes.ts'
import { joinRoutes } from './pages/projects/join/routes.ts'
import { projectsRoutes } from './pages/projects/projects/routes.ts'
import { shareRoutes } from './pages/projects/share/routes.ts'
import { tablesRoutes } from './pages/projects/tables/routes.ts'
import { telephonyRoutes } from './pages/telephony/routes.ts'
import { webhooksRoutes } from './pages/webhooks/routes.ts'

export const router = createRouter({
  routeTree: root.addChildren([
    ...signInRoutes,
    invite,
    ...joinRoutes,
    ...shareRoutes,
    ...publicLinkRoutes,
    authorize,
    unsubscribe,
    connectedRoute,
    app.addChildren([
      home,
      inbox,
      projectsRoutes,
      ...tablesRoutes,
      chatRoutes,
      agentsRoutes,
      memoryRoutes,
      knowledgeRoutes,
      skillsRoutes,
      runsRoutes,
      approvalsRoutes,
      formsRoutes,
      schedulesRoute,
      guardrailsRoute,
      mcpServersRoutes,
      integrations.addChildren([...connectionsRoutes, ...customAppRoutes]),
      filesRoutes,
      webhooksRoutes,
      telephonyRoutes,
      feedbackRoutes,
      settings.addChildren([
        ...accountSettings,
        notificationSettings,
        ...organizationSettings,
        mcpSettings,
        ...billingSettings,
        modelSettings,
        webSearchSettings,
        agentPolicySettings,
        fileSettings,
      ]),
      operate.addChildren([queueRoutes, ...operatorRoutes, ...providerEventRoutes]),
      ...movedPages,
      notFound,
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
