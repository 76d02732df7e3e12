import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

const models = createRoute({
  getParentRoute: () => settings,
  path: 'organization/models',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'model', 'q'),
  staticData: { title: t`Models` },
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
})

const newProvider = createRoute({
  getParentRoute: () => models,
  path: 'new',
  staticData: { title: t`Connect a model` },
  component: lazyRouteComponent(() => import('./connect-dialog.tsx'), 'ConnectDialog'),
})

const editProvider = createRoute({
  getParentRoute: () => models,
  path: '$providerId',
  staticData: { title: t`Edit model provider` },
  component: lazyRouteComponent(() => import('./edit-provider-dialog.tsx'), 'EditProviderDialog'),
})

export const modelSettings = models.addChildren([newProvider, editProvider])
