import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

export const usageRoute = createRoute({
  getParentRoute: () => app,
  path: 'usage',
  staticData: { title: 'Usage' },
  // `budget` opens the form of a budget: `new`, or its scope, id and period.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'range', 'by', 'project', 'agent', 'budget'),
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
})
