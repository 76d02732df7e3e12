import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

/** Without one of these, files are sorted by name. */
const SORTS = ['newest', 'largest'] as const

export interface FilesSearch {
  q?: string
  tag?: string
  sort?: (typeof SORTS)[number]
  /** The file whose panel is open. */
  file?: string
  /** The file that the viewer shows. */
  view?: string
  /** The thread of the file that a notification leads to. */
  comment?: string
  /** In the trash: whether the dialog that empties it is open. */
  empty?: string
}

const files = createRoute({
  getParentRoute: () => app,
  path: 'files',
  staticData: { title: 'Files' },
  validateSearch: (search: Record<string, unknown>): FilesSearch => {
    const { sort, ...rest } = textParams(search, 'q', 'tag', 'file', 'view', 'comment', 'empty', 'sort')
    const known = SORTS.find((candidate) => candidate === sort)
    return known ? { ...rest, sort: known } : rest
  },
  // One chunk for all pages below: they share most of their code.
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
})

const top = createRoute({ getParentRoute: () => files, path: '/' })
const folder = createRoute({ getParentRoute: () => files, path: '$id' })
const trash = createRoute({
  getParentRoute: () => files,
  path: 'trash',
  staticData: { title: 'Trash' },
})

export const filesRoutes = files.addChildren([top, folder, trash])
