import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type Health = OutputOf<Contract['operations']['health']>

const REFRESH_MS = 5000

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => organizationApi.operations.health(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})
