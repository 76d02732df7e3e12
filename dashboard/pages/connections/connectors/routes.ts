import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { textParams } from '../../../state/text-params.ts'
import { integrations } from '../connections/routes.ts'

const connectors = createRoute({
  getParentRoute: () => integrations,
  path: 'custom',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  staticData: { title: t`Custom apps` },
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorSettingsPage'),
})

/** Custom connector slugs begin with `custom-`, so `new` and `import` aren't slugs. */
const customConnector = createRoute({
  getParentRoute: () => integrations,
  path: 'custom/$slug',
  staticData: { title: t`Custom app` },
  component: lazyRouteComponent(() => import('./custom/custom-connector-pages.tsx'), 'CustomConnectorPages'),
})

export const customAppRoutes = [connectors, customConnector] as const
