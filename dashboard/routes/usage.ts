import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { textParams } from '../state/text-params.ts'
import { app } from './root.tsx'

export const usageRoute = createRoute({
  getParentRoute: () => app,
  path: 'usage',
  staticData: { title: 'Usage' },
  // `budget` opens the form of a budget: `new`, or its scope, id and period.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'range', 'by', 'project', 'agent', 'budget'),
  component: lazyRouteComponent(() => import('../pages/usage/usage-page.tsx'), 'UsagePage'),
})
