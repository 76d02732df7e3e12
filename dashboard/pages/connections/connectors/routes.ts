import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settings } from '../../../frame/settings-routes.ts'

const connectors = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors',
  staticData: { title: 'Connectors' },
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorSettingsPage'),
})

/** One route for three pages: slugs of custom connectors begin with `custom-`, so `new` and `import` are no slugs. */
const customConnector = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors/$slug',
  staticData: { title: 'Custom connector' },
  component: lazyRouteComponent(() => import('./custom/custom-connector-pages.tsx'), 'CustomConnectorPages'),
})

export const connectorSettings = [connectors, customConnector] as const
