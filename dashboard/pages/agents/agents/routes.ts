import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const agents = createRoute({ getParentRoute: () => app, path: 'agents', staticData: { title: 'Agents' } })

const list = createRoute({
  getParentRoute: () => agents,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})

const archivedAgents = createRoute({
  getParentRoute: () => agents,
  path: 'archived',
  staticData: { title: 'Archived agents' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'ArchivedAgentsPage'),
})

const newAgent = createRoute({
  getParentRoute: () => agents,
  path: 'new',
  staticData: { title: 'New agent' },
  component: lazyRouteComponent(() => import('./new-agent-page.tsx'), 'NewAgentPage'),
})

const apply = createRoute({
  getParentRoute: () => agents,
  path: 'apply',
  staticData: { title: 'Apply changes' },
  component: lazyRouteComponent(() => import('./apply/apply-page.tsx'), 'ApplyPage'),
})

const agent = createRoute({
  getParentRoute: () => agents,
  path: '$id',
  staticData: { title: 'Agent' },
  // Beside the editor: `versions`, `try` with the `session` of its conversation, or `none`.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'panel', 'session'),
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

export const agentsRoutes = agents.addChildren([list, archivedAgents, newAgent, apply, agent])
