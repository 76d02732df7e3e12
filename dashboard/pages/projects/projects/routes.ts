import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'
import { CanvasSkeleton } from '../../canvas/canvas-skeleton.tsx'
import { parseProjectsSearch } from './projects-search.ts'

const projects = createRoute({
  getParentRoute: () => app,
  path: 'projects',
  staticData: { title: t`Projects` },
})

const list = createRoute({
  getParentRoute: () => projects,
  id: 'list',
  validateSearch: parseProjectsSearch,
  component: lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
})

const all = createRoute({ getParentRoute: () => list, path: '/' })

const newProject = createRoute({
  getParentRoute: () => list,
  path: 'new',
  staticData: { title: t`New project` },
  component: lazyRouteComponent(() => import('./new/new-project-dialog.tsx'), 'NewProjectDialog'),
})

const templates = createRoute({
  getParentRoute: () => projects,
  path: 'templates',
  staticData: { title: t`Templates` },
  component: lazyRouteComponent(() => import('./templates/templates-page.tsx'), 'TemplatesPage'),
})

const trash = createRoute({
  getParentRoute: () => projects,
  path: 'trash',
  staticData: { title: t`Deleted projects` },
  component: lazyRouteComponent(() => import('./trash-page.tsx'), 'TrashPage'),
})

const project = createRoute({
  getParentRoute: () => projects,
  path: '$ref',
  staticData: { title: t`Project` },
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'panel', 'session', 'block', 'comment'),
  component: lazyRouteComponent(() => import('../../canvas/canvas-routes.tsx'), 'ProjectCanvas'),
  // The canvas code is large: on its first visit, the previous page must not stay for seconds.
  pendingComponent: CanvasSkeleton,
  pendingMs: 150,
  pendingMinMs: 0,
})

export const projectsRoutes = projects.addChildren([
  list.addChildren([all, newProject]),
  templates,
  trash,
  project,
])
