import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { organizationApi } from './organizations.ts'

export type WebSearchState = OutputOf<Contract['webSearch']['settings']>

export const webSearchQuery = queryOptions({
  queryKey: ['web-search'],
  queryFn: ({ signal }) => organizationApi.webSearch.get(undefined, { signal }),
})

/** Admins only. */
export const webSearchSettingsQuery = queryOptions({
  queryKey: ['web-search', 'settings'],
  queryFn: ({ signal }) => organizationApi.webSearch.settings(undefined, { signal }),
})
