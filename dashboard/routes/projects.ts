import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ProjectStatus, ProjectVisibility } from '../api/projects.ts'
import { app, textParams } from './root.ts'

/** Active ones unless the address says otherwise. */
const SHOWN = ['completed', 'archived', 'all'] as const
const VISIBILITIES = ['team', 'private'] as const

export interface ProjectsSearch {
  q?: string
  show?: Exclude<ProjectStatus, 'active'> | 'all'
  visibility?: ProjectVisibility
  tag?: string
  /** The id of a workspace, or `all`; without it the one that one is in. */
  workspace?: string
}

const projects = createRoute({
  getParentRoute: () => app,
  path: 'projects',
  staticData: { title: 'Projects' },
})

const list = createRoute({
  getParentRoute: () => projects,
  id: 'list',
  validateSearch: (search: Record<string, unknown>): ProjectsSearch => {
    const { show, visibility, ...rest } = textParams(search, 'q', 'tag', 'workspace', 'show', 'visibility')
    const knownShown = SHOWN.find((name) => name === show)
    const knownVisibility = VISIBILITIES.find((name) => name === visibility)
    return {
      ...rest,
      ...(knownShown && { show: knownShown }),
      ...(knownVisibility && { visibility: knownVisibility }),
    }
  },
  component: lazyRouteComponent(() => import('../pages/projects/projects-page.tsx'), 'ProjectsPage'),
})

const all = createRoute({ getParentRoute: () => list, path: '/' })

const newProject = createRoute({
  getParentRoute: () => list,
  path: 'new',
  staticData: { title: 'New project' },
  component: lazyRouteComponent(() => import('../pages/projects/new-project-dialog.tsx'), 'NewProjectDialog'),
})

const trash = createRoute({
  getParentRoute: () => projects,
  path: 'trash',
  staticData: { title: 'Deleted projects' },
  component: lazyRouteComponent(() => import('../pages/projects/trash-page.tsx'), 'TrashPage'),
})

const project = createRoute({
  getParentRoute: () => projects,
  path: '$ref',
  staticData: { title: 'Project' },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'panel'),
  component: lazyRouteComponent(() => import('../pages/canvas/canvas-routes.tsx'), 'ProjectRoom'),
})

export const projectsRoutes = projects.addChildren([list.addChildren([all, newProject]), trash, project])
