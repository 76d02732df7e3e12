import lines from 'virtual:project-routes'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'
import { type Favourite, favouritesQuery } from './sidebar.ts'

export const projectsApi = signedInApi<LateContract<'project'>>(lines)

export function useFavouriteIds(): ReadonlySet<string> {
  const { data } = useQuery(favouritesQuery)
  return useMemo(() => new Set(data?.map(({ id }) => id)), [data])
}

/** Optimistic. */
export const editFavourites = (edit: (items: Favourite[]) => Favourite[]) =>
  queryClient.setQueryData(favouritesQuery.queryKey, (items) => items && edit(items))

export const refreshFavourites = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: favouritesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['projects', 'list'] }),
  ])
