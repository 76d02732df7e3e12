import type { ProjectStatus, ProjectVisibility } from '../../api/projects.ts'
import { textParams } from '../../state/text-params.ts'

/** The default is `active`, which is not in the URL. */
const SHOWN = ['completed', 'archived', 'all'] as const
const VISIBILITIES = ['team', 'private'] as const

/** The search parameters of the project list. */
export interface ProjectsSearch {
  q?: string
  show?: Exclude<ProjectStatus, 'active'> | 'all'
  visibility?: ProjectVisibility
  tag?: string
  /** A workspace id or `all`; the default is the active workspace. */
  workspace?: string
}

export function parseProjectsSearch(search: Record<string, unknown>): ProjectsSearch {
  const { show, visibility, ...rest } = textParams(search, 'q', 'tag', 'workspace', 'show', 'visibility')
  const validShow = SHOWN.find((name) => name === show)
  const validVisibility = VISIBILITIES.find((name) => name === visibility)
  return {
    ...rest,
    ...(validShow && { show: validShow }),
    ...(validVisibility && { visibility: validVisibility }),
  }
}
