import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { api } from '../../api/client.ts'

export type OperatedOrganization = OutputOf<Contract['quotas']['organizations']>['items'][number]

export const organizationsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['organizations', search],
    queryFn: ({ pageParam, signal }) =>
      api.quotas.organizations({ cursor: pageParam, search: search || undefined }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const quotasOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['organizations', id, 'quotas'],
    queryFn: ({ signal }) => api.quotas.listOf({ id }, { signal }),
  })
