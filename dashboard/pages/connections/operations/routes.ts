import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { operate } from '../../../frame/settings-routes.ts'
import { textParams } from '../../../state/text-params.ts'

const providerEndpoints = createRoute({
  getParentRoute: () => operate,
  path: 'connectors',
  staticData: { title: t`Provider events` },
  component: lazyRouteComponent(() => import('./endpoints-page.tsx'), 'ObservedEndpointsPage'),
})

const providerEvents = createRoute({
  getParentRoute: () => operate,
  path: 'connectors/events',
  staticData: { title: t`Provider events` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'endpoint'),
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'ObservedEventsPage'),
})

export const providerEventRoutes = [providerEndpoints, providerEvents] as const
