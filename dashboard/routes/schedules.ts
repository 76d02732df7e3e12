import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from './root.tsx'

export const schedulesRoute = createRoute({
  getParentRoute: () => app,
  path: 'schedules',
  staticData: { title: 'Schedules' },
  component: lazyRouteComponent(() => import('../pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
})
