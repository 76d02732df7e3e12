import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from './root.tsx'

export const guardrailsRoute = createRoute({
  getParentRoute: () => app,
  path: 'guardrails',
  staticData: { title: 'Guardrails' },
  component: lazyRouteComponent(() => import('../pages/guardrails/guardrails-page.tsx'), 'GuardrailsPage'),
})
