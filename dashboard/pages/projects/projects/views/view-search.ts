import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import { queryClient } from '../../../../api/query-client.ts'
import type { ProjectsSearch } from '../projects-search.ts'
import { SORTS } from '../use-projects.ts'

export function toViewSettings(search: ProjectsSearch, activeWorkspaceId: string | undefined): ViewSettings {
  const { q, show, visibility, tag, workspace = activeWorkspaceId, sort, layout, fav } = search
  const isAll = show === 'all' || layout === 'board'
  return withoutUndefined({
    search: q,
    status: isAll ? undefined : (show ?? 'active'),
    visibility,
    tag,
    workspaceId: workspace === 'all' ? undefined : workspace,
    favourites: fav,
    ...(sort && SORTS[sort]),
    layout,
  })
}

export function toProjectsSearch(
  settings: ViewSettings,
  activeWorkspaceId: string | undefined,
): ProjectsSearch {
  const { search, status, visibility, tag, workspaceId, favourites, sort, order, layout } = settings
  const sortOption = Object.entries(SORTS).find(
    ([, option]) =>
      option.sort === sort && (option.order === order || (!option.order && isDefault(sort, order))),
  )
  return withoutUndefined({
    q: search,
    show: layout === 'board' || status === 'active' ? undefined : (status ?? 'all'),
    visibility,
    tag,
    workspace:
      workspaceId === undefined ? 'all' : workspaceId === activeWorkspaceId ? undefined : workspaceId,
    sort: sortOption?.[0] as ProjectsSearch['sort'],
    layout: layout === 'list' ? undefined : layout,
    fav: favourites,
  })
}

const isDefault = (sort: ViewSettings['sort'], order: ViewSettings['order']) =>
  order === undefined || order === (sort === 'name' ? 'asc' : 'desc')

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

export const isChanged = (
  settings: ViewSettings,
  search: ProjectsSearch,
  activeWorkspaceId: string | undefined,
) => {
  const { view: _, ...rest } = search
  return (
    JSON.stringify(sorted(toProjectsSearch(settings, activeWorkspaceId))) !== JSON.stringify(sorted(rest))
  )
}

const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))

export type ProjectView = OutputOf<Contract['projectViews']['list']>['items'][number]
export type ViewSettings = ProjectView['settings']

/** The user's saved views and shared ones. */
export const viewsQuery = queryOptions({
  queryKey: ['project-views'],
  queryFn: ({ signal }) => projectsApi.projectViews.list(undefined, { signal }),
})

export const refreshViews = () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey })
