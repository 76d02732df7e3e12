import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { modelListQuery } from '../../api/models.ts'
import { organizationApi } from '../../api/organizations.ts'
import { queryClient } from '../../api/query-client.ts'

export type OwnProvider = OutputOf<Contract['modelProviders']['list']>['items'][number]

/** The providers of the organization, which only admins may read. */
export const providersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: ({ signal }) => organizationApi.modelProviders.list(undefined, { signal }),
})

export const refreshModels = () =>
  Promise.all(
    [providersQuery, modelListQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  )
