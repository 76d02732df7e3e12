import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { organizationApi } from './organizations.ts'

export type Embedder = OutputOf<Contract['embeddings']['get']>

const WHILE_BUILDING_MS = 3000

/** Refreshes while passages are being embedded. */
export const embedderQuery = queryOptions({
  queryKey: ['embeddings'],
  queryFn: ({ signal }) => organizationApi.embeddings.get(undefined, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.state === 'building' || state.data?.state === 'waiting' ? WHILE_BUILDING_MS : false,
})
