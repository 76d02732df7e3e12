import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app, textParams } from './root.ts'

/** By name unless the address says otherwise. */
const SORTS = ['newest', 'largest'] as const

export interface FilesSearch {
  q?: string
  tag?: string
  sort?: (typeof SORTS)[number]
  /** The file that is looked at closely. */
  file?: string
}

const files = createRoute({
  getParentRoute: () => app,
  path: 'files',
  staticData: { title: 'Files' },
  validateSearch: (search: Record<string, unknown>): FilesSearch => {
    const { sort, ...rest } = textParams(search, 'q', 'tag', 'file', 'sort')
    const known = SORTS.find((candidate) => candidate === sort)
    return known ? { ...rest, sort: known } : rest
  },
  // It shows all of the pages below: whoever opens one needs most of what the others need.
  component: lazyRouteComponent(() => import('../pages/files/files-page.tsx'), 'FilesPage'),
})

const top = createRoute({ getParentRoute: () => files, path: '/' })
const folder = createRoute({ getParentRoute: () => files, path: '$id' })
const trash = createRoute({
  getParentRoute: () => files,
  path: 'trash',
  staticData: { title: 'Trash' },
})

export const filesRoutes = files.addChildren([top, folder, trash])
