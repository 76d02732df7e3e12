import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import type { ProjectSort } from '../../contract/projects/list-options.ts'
import { api } from './client.ts'

export type Project = OutputOf<Contract['projects']['update']>
export type ProjectDetails = OutputOf<Contract['projects']['get']>
export type ProjectStatus = Project['status']
export type ProjectVisibility = Project['visibility']

const PAGE_SIZE = 100

export interface ProjectFilter {
  status?: ProjectStatus
  visibility?: ProjectVisibility
  workspaceId?: string
  search?: string
  tag?: string
  trashed?: true
  favourites?: true
  sort?: ProjectSort
  order?: 'asc' | 'desc'
}

export const projectsQuery = (filter: ProjectFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', 'list', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) => {
      const { trashed, favourites, ...rest } = filter
      const flags = { trashed: flag(trashed), favourites: flag(favourites) }
      return api.projects.list({ limit: PAGE_SIZE, ...rest, ...flags, cursor }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

const flag = (isSet?: true) => isSet && ('true' as const)

export const projectQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', 'item', ref],
    queryFn: ({ signal }) => api.projects.get({ id: ref }, { signal }),
  })

/** Pages below `/projects`, not slugs. */
const RESERVED_SLUGS = new Set(['new', 'templates', 'trash'])

/** Its slug changes once the project gets its first name. */
const PLACEHOLDER_SLUG = /^untitled-project(-|$)/

/** Uses the id if the slug is reserved or will change. */
export const projectRef = ({ id, slug }: Pick<Project, 'id' | 'slug'>) =>
  RESERVED_SLUGS.has(slug) || PLACEHOLDER_SLUG.test(slug) ? id : slug

/** For project pickers. */
export const newestProjectsQuery = queryOptions({
  queryKey: ['projects', 'newest'],
  queryFn: ({ signal }) => api.projects.list({ status: 'active', limit: PAGE_SIZE }, { signal }),
})

export const anyProjectQuery = queryOptions({
  queryKey: ['projects', 'any'],
  queryFn: ({ signal }) => api.projects.list({ limit: 1 }, { signal }),
})
