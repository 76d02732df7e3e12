import type { ProjectSort } from '../../../../contract/projects/list-options.ts'
import type { ProjectStatus, ProjectVisibility } from '../../../api/projects.ts'
import { textParams } from '../../../state/text-params.ts'

/** Absent parameters have defaults, which aren't in the URL. */
export interface ProjectsSearch {
  q?: string
  /** Defaults to `active`. The board shows all statuses. */
  show?: Exclude<ProjectStatus, 'active'> | 'all'
  visibility?: ProjectVisibility
  tag?: string
  /** A workspace id or `all`. Defaults to the active workspace. */
  workspace?: string
  /** Defaults to newest first. */
  sort?: Exclude<ProjectSort, 'created'> | 'oldest' | 'name-desc'
  layout?: 'board' | 'cards'
  fav?: 'only' | 'first'
  /** The saved view these parameters come from. */
  view?: string
  /** What a new project starts from: `template:<id>` or `project:<id>`. */
  start?: string
  /** Where the user goes after creating a project. Not part of the list's own parameters. */
  returnTo?: string
}

/** As in the URL. `cleanSearch`, which loads with the page, drops unknown values. */
export const parseProjectsSearch = (search: Record<string, unknown>) =>
  textParams(
    search,
    ...([
      'q',
      'show',
      'visibility',
      'tag',
      'workspace',
      'sort',
      'layout',
      'fav',
      'view',
      'start',
      'returnTo',
    ] as const),
  ) as ProjectsSearch
