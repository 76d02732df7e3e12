import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type Quota = OutputOf<Contract['quotas']['list']>['items'][number]

export const usageQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => organizationApi.quotas.list(undefined, { signal }),
})
