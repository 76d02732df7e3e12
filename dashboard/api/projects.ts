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

/** One project by its id or slug. */
export const projectQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', 'item', ref],
    queryFn: ({ signal }) => api.projects.get({ id: ref }, { signal }),
  })

/** Paths below `/projects` that are pages, not slugs. */
const RESERVED_SLUGS = new Set(['new', 'templates', 'trash'])

/** A project without a name gets another slug with its first name. */
const PLACEHOLDER_SLUG = /^untitled-project(-|$)/

/** The project in a URL: its slug, or its id if the slug is reserved or will change. */
export const projectRef = ({ id, slug }: Pick<Project, 'id' | 'slug'>) =>
  RESERVED_SLUGS.has(slug) || PLACEHOLDER_SLUG.test(slug) ? id : slug

/** The newest projects, for forms in which the person chooses one. */
export const newestProjectsQuery = queryOptions({
  queryKey: ['projects', 'newest'],
  queryFn: ({ signal }) => api.projects.list({ status: 'active', limit: PAGE_SIZE }, { signal }),
})

/** Whether any project exists, for the empty state of a filtered list. */
export const anyProjectQuery = queryOptions({
  queryKey: ['projects', 'any'],
  queryFn: ({ signal }) => api.projects.list({ limit: 1 }, { signal }),
})
