import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

export type ApiKey = OutputOf<Contract['apiKeys']['list']>['items'][number]
export type CreatedKey = OutputOf<Contract['apiKeys']['create']>

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => api.apiKeys.list(undefined, { signal }),
})
