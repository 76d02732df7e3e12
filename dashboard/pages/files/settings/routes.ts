import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { settings } from '../../../frame/settings-routes.ts'
import { textParams } from '../../../state/text-params.ts'

export const fileSettings = createRoute({
  getParentRoute: () => settings,
  path: 'organization/files',
  staticData: { title: t`Files and public links` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'person'),
  component: lazyRouteComponent(() => import('./files-settings-page.tsx'), 'FilesSettingsPage'),
})
