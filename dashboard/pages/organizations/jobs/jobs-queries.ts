import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type Job = OutputOf<Contract['operations']['jobs']>['items'][number]

const REFRESH_MS = 5000

export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: ({ signal }) => organizationApi.operations.jobs(undefined, { signal }),
  refetchInterval: REFRESH_MS,
})
