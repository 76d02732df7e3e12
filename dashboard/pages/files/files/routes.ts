import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { app } from '../../../frame/root-route.tsx'
import { textParams } from '../../../state/text-params.ts'

/** The default sort is by name. */
const SORTS = ['newest', 'largest'] as const

export interface FilesSearch {
  q?: string
  tag?: string
  sort?: (typeof SORTS)[number]
  /** Id of the panel's file. */
  file?: string
  /** Id of the viewer's file. */
  view?: string
  /** Thread a notification links to. */
  comment?: string
  /** In the trash: the empty-trash dialog is open. */
  empty?: string
}

const files = createRoute({
  getParentRoute: () => app,
  path: 'files',
  staticData: { title: t`Files` },
  validateSearch: (search: Record<string, unknown>): FilesSearch => {
    const { sort, ...rest } = textParams(search, 'q', 'tag', 'file', 'view', 'comment', 'empty', 'sort')
    const known = SORTS.find((candidate) => candidate === sort)
    return known ? { ...rest, sort: known } : rest
  },
  // One chunk for all pages below: they share most code.
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
})

const top = createRoute({ getParentRoute: () => files, path: '/' })
const folder = createRoute({ getParentRoute: () => files, path: '$id' })
const trash = createRoute({
  getParentRoute: () => files,
  path: 'trash',
  staticData: { title: t`Trash` },
})

export const filesRoutes = files.addChildren([top, folder, trash])
