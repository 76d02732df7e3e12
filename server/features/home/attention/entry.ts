import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { home } from '../../../../contract/home/home.ts'
import { DISMISSIBLE_KINDS } from '../../../../contract/home/home-options.ts'

export type Entry = OutputOf<typeof home.read>['attention'][number]

/** The columns of a project that a query adds to its rows; null without one, or if the caller does not see it. */
export interface ProjectName {
  projectId: string | null
  projectName: string | null
}

export const projectOf = ({ projectId, projectName }: ProjectName): Entry['project'] =>
  projectId === null || projectName === null ? null : { id: projectId, name: projectName }

export const entry = (
  fields: Omit<Entry, 'dismissible' | 'detail' | 'project'> & Partial<Pick<Entry, 'detail' | 'project'>>,
): Entry => ({ detail: null, project: null, ...fields, dismissible: DISMISSIBLE_KINDS.includes(fields.kind) })
