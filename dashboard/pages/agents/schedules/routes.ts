import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'

export const schedulesRoute = createRoute({
  getParentRoute: () => app,
  path: 'schedules',
  staticData: { title: 'Schedules' },
  component: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
})
