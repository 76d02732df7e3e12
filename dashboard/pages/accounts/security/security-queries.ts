import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

export type SecurityOverview = OutputOf<Contract['security']['overview']>

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => api.security.overview(undefined, { signal }),
})
