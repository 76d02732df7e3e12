import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'

type ModelList = Exclude<OutputOf<Contract['models']['list']>, { object: 'list' }>
export type Model = ModelList['items'][number]
export type ProviderState = ModelList['providers'][number]

export const modelListQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await api.models.list({}, { signal })) as ModelList,
})
