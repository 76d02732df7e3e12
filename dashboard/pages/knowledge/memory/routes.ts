import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

const memory = createRoute({ getParentRoute: () => app, path: 'memory', staticData: { title: 'Memory' } })

const list = createRoute({
  getParentRoute: () => memory,
  path: '/',
  // `space` is a project, or `org`; `id` opens a memory beside the list.
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q', 'space', 'id'),
  component: lazyRouteComponent(() => import('./memory-page.tsx'), 'MemoryPage'),
})

const proposedMemory = createRoute({
  getParentRoute: () => memory,
  path: 'proposed',
  staticData: { title: 'Proposed memory' },
  component: lazyRouteComponent(() => import('./proposed-page.tsx'), 'ProposedPage'),
})

export const memoryRoutes = memory.addChildren([list, proposedMemory])
