import type { ProjectSort } from '../../../../contract/projects/list-options.ts'
import type { ProjectStatus, ProjectVisibility } from '../../../api/projects.ts'
import { textParams } from '../../../state/text-params.ts'

/** The search parameters of the project list. Absent ones have their defaults, which are not in the URL. */
export interface ProjectsSearch {
  q?: string
  /** The default is `active`. The board shows all statuses. */
  show?: Exclude<ProjectStatus, 'active'> | 'all'
  visibility?: ProjectVisibility
  tag?: string
  /** A workspace id or `all`; the default is the active workspace. */
  workspace?: string
  /** The default is the newest first. */
  sort?: Exclude<ProjectSort, 'created'> | 'oldest' | 'name-desc'
  layout?: 'board'
  /** Shows favorites only, or before the other projects. */
  fav?: 'only' | 'first'
  /** The saved view that the parameters come from. */
  view?: string
  /** The source of a new project: `template:<id>` or `project:<id>`. */
  start?: string
}

/** The parameters as they are in the URL. `cleanSearch`, which loads with the page, drops unknown values. */
export const parseProjectsSearch = (search: Record<string, unknown>) =>
  textParams(
    search,
    ...(['q', 'show', 'visibility', 'tag', 'workspace', 'sort', 'layout', 'fav', 'view', 'start'] as const),
  ) as ProjectsSearch
