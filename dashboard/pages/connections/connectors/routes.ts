import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { settings } from '../../../frame/settings-routes.ts'

const connectors = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors',
  staticData: { title: t`Connectors` },
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorSettingsPage'),
})

/** Custom connector slugs begin with `custom-`, so `new` and `import` aren't slugs. */
const customConnector = createRoute({
  getParentRoute: () => settings,
  path: 'organization/connectors/$slug',
  staticData: { title: t`Custom connector` },
  component: lazyRouteComponent(() => import('./custom/custom-connector-pages.tsx'), 'CustomConnectorPages'),
})

export const connectorSettings = [connectors, customConnector] as const
