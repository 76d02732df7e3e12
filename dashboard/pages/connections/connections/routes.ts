import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { app, root } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

export const integrations = createRoute({
  getParentRoute: () => app,
  path: 'integrations',
  staticData: { title: t`Integrations` },
})

const list = createRoute({
  getParentRoute: () => integrations,
  path: '/',
  // `connector` is the open panel's slug.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'category', 'connector'),
  component: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
})

const connection = createRoute({
  getParentRoute: () => integrations,
  path: '$id',
  staticData: { title: t`Connection` },
  // `endpoint` is the open panel's id.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'endpoint'),
  component: lazyRouteComponent(() => import('./connection/connection-page.tsx'), 'ConnectionPage'),
})

export const connectionsRoutes = [list, connection] as const

/** Outside the app frame and available signed out: the provider may redirect a browser with another session. */
export const connectedRoute = createRoute({
  getParentRoute: () => root,
  path: 'integrations/connected',
  staticData: { title: t`Connection` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'connection', 'error', 'returnTo'),
  component: lazyRouteComponent(() => import('./connected-page.tsx'), 'ConnectedPage'),
})
