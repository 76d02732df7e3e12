import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'

export const guardrailsRoute = createRoute({
  getParentRoute: () => app,
  path: 'guardrails',
  staticData: { title: 'Guardrails' },
  component: lazyRouteComponent(() => import('./guardrails-page.tsx'), 'GuardrailsPage'),
})
