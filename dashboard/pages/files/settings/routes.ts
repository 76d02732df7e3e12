import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { settings } from '../../../frame/settings-routes.ts'

export const fileSettings = createRoute({
  getParentRoute: () => settings,
  path: 'organization/files',
  staticData: { title: t`Files and public links` },
  component: lazyRouteComponent(() => import('./files-settings-page.tsx'), 'FilesSettingsPage'),
})
