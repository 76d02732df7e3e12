import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Project, type ProjectFilter, projectsQuery } from '../../../api/projects.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'

/** The projects of the list. With `favouritesFirst`, favorites that match the filter come first. */
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

export const tagsOf = (items: { tags: string[] }[]) =>
  [...new Set(items.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))
