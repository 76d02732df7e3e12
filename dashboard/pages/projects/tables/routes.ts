import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const tables = createRoute({
  getParentRoute: () => app,
  path: 'projects/$ref/tables',
  staticData: { title: t`Tables` },
  component: lazyRouteComponent(() => import('./tables-page.tsx'), 'TablesPage'),
})

const table = createRoute({
  getParentRoute: () => app,
  path: 'projects/$ref/tables/$tableId',
  staticData: { title: t`Table` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'view', 'row'),
  component: lazyRouteComponent(() => import('./table-page.tsx'), 'TablePage'),
})

export const tablesRoutes = [tables, table]
