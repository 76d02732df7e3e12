import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'

export type Project = OutputOf<Contract['projects']['update']>
export type ProjectDetails = OutputOf<Contract['projects']['get']>
export type ProjectStatus = Project['status']
export type ProjectVisibility = Project['visibility']

const PAGE_SIZE = 100

/** What one list shows. */
export interface ProjectFilter {
  status?: ProjectStatus
  visibility?: ProjectVisibility
  workspaceId?: string
  search?: string
  tag?: string
  trashed?: true
}

export const projectsQuery = (filter: ProjectFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', 'list', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) => {
      const { trashed, ...rest } = filter
      return api.projects.list(
        { limit: PAGE_SIZE, ...rest, trashed: trashed ? 'true' : undefined, cursor },
        { signal },
      )
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** One project closely, by its id or its slug. */
export const projectQuery = (ref: string) =>
  queryOptions({
    queryKey: ['projects', 'item', ref],
    queryFn: ({ signal }) => api.projects.get({ id: ref }, { signal }),
  })

/** A few whose name has these words, wherever they are. */
export const projectsNamedQuery = (search: string, limit: number) =>
  queryOptions({
    queryKey: ['projects', 'named', search, limit],
    queryFn: ({ signal }) => api.projects.list({ search, limit }, { signal }),
  })

/** Pages beside the projects that have a word of their own at this place of the address. */
const TAKEN = new Set(['new', 'trash'])

/** How a project is called in an address: the words of its slug, unless a page is called the same. */
export const projectRef = ({ id, slug }: Pick<Project, 'id' | 'slug'>) => (TAKEN.has(slug) ? id : slug)

/** The newest, of which the home page shows those where something happened last. */
export const newestProjectsQuery = queryOptions({
  queryKey: ['projects', 'newest'],
  queryFn: ({ signal }) => api.projects.list({ status: 'active', limit: PAGE_SIZE }, { signal }),
})

/** Whether there is any at all, for whoever sees an empty list. */
export const anyProjectQuery = queryOptions({
  queryKey: ['projects', 'any'],
  queryFn: ({ signal }) => api.projects.list({ limit: 1 }, { signal }),
})
