import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Project, type ProjectFilter, projectsQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import type { ProjectsSearch } from './projects-search.ts'

export function useProjects(filter: ProjectFilter, favouritesFirst: boolean) {
  const list = useInfiniteQuery({ ...projectsQuery(filter), placeholderData: keepPreviousData })
  const favouriteList = useInfiniteQuery({
    ...projectsQuery({ ...filter, favourites: true }),
    placeholderData: keepPreviousData,
    enabled: favouritesFirst,
  })
  const items = useMemo(() => {
    const all = itemsOf(list.data)
    const favourites = favouritesFirst ? itemsOf(favouriteList.data) : []
    const ids = new Set(favourites.map(({ id }) => id))
    return [...favourites, ...all.filter(({ id }) => !ids.has(id))]
  }, [list.data, favouriteList.data, favouritesFirst])
  return { list, items }
}

const itemsOf = (data: { pages: { items: Project[] }[] } | undefined) =>
  data?.pages.flatMap((page) => page.items) ?? []

/** Empty if the user has only one workspace. */
export function useWorkspaceNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(workspacesQuery)
  return useMemo(
    () => new Map(data && data.items.length > 1 ? data.items.map(({ id, name }) => [id, name]) : []),
    [data],
  )
}

export const collectTags = (items: { tags: string[] }[]) =>
  [...new Set(items.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))

const ALLOWED_VALUES = {
  show: ['completed', 'archived', 'all'],
  visibility: ['team', 'private'],
  sort: ['updated', 'name', 'name-desc', 'opened', 'oldest'],
  layout: ['board', 'cards'],
  fav: ['only', 'first'],
} satisfies { [N in keyof ProjectsSearch]?: ProjectsSearch[N][] }

/** Removes unknown values, and where to return to, which isn't a filter. */
const cleanSearch = (search: ProjectsSearch): ProjectsSearch =>
  Object.fromEntries(
    Object.entries(search).filter(([name, value]) => {
      if (name === 'returnTo') return false
      const allowed: string[] | undefined = ALLOWED_VALUES[name as keyof typeof ALLOWED_VALUES]
      return value !== undefined && (allowed === undefined || allowed.includes(value))
    }),
  )

const route = getRouteApi('/app/projects/list')

export function useProjectsSearch(): ProjectsSearch {
  const search = route.useSearch()
  return useMemo(() => cleanSearch(search), [search])
}

export const useReturnTo = (): string | undefined => route.useSearch().returnTo

/** Sort orders by their API names. */
export const SORTS: Record<NonNullable<ProjectsSearch['sort']>, Pick<ProjectFilter, 'sort' | 'order'>> = {
  updated: { sort: 'updated' },
  name: { sort: 'name' },
  'name-desc': { sort: 'name', order: 'desc' },
  opened: { sort: 'opened' },
  oldest: { sort: 'created', order: 'asc' },
}

export function useFilter({ q, show, visibility, tag, workspace, sort, fav }: ProjectsSearch): ProjectFilter {
  const { workspace: activeWorkspace } = useSession()
  return {
    search: q,
    status: show === 'all' ? undefined : (show ?? 'active'),
    visibility,
    tag,
    workspaceId: workspace === 'all' ? undefined : (workspace ?? activeWorkspace?.id),
    ...(sort && SORTS[sort]),
    ...(fav === 'only' && { favourites: true as const }),
  }
}
