import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

type ModelList = Exclude<OutputOf<Contract['models']['list']>, { object: 'list' }>
export type Model = ModelList['items'][number]
export type ProviderState = ModelList['providers'][number]
export type OwnProvider = OutputOf<Contract['modelProviders']['list']>['items'][number]

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await api.models.list({}, { signal })) as ModelList,
})

/** For admins. */
export const providersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: ({ signal }) => api.modelProviders.list(undefined, { signal }),
})
