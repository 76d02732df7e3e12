import { queryOptions } from '@tanstack/react-query'
import type { OutputOf, RequestOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { queryClient } from '../query-client.ts'
import { connectionApi } from './connection-api.ts'

type CustomConnectors = Contract['customConnectors']
export type CustomConnector = OutputOf<CustomConnectors['get']>
export type NewCustomConnector = RequestOf<CustomConnectors['create']>
export type ApiDocument = OutputOf<CustomConnectors['readOpenapi']>
export type Operation = ApiDocument['operations'][number]

export const customConnectorsQuery = queryOptions({
  queryKey: ['custom-connectors', 'list'] as const,
  queryFn: ({ signal }) => connectionApi.customConnectors.list(undefined, { signal }),
})

export const customConnectorQuery = (slug: string) =>
  queryOptions({
    queryKey: ['custom-connectors', 'item', slug] as const,
    queryFn: ({ signal }) => connectionApi.customConnectors.get({ slug }, { signal }),
  })

export const refreshCustomConnectors = () =>
  Promise.all(
    ['custom-connectors', 'connectors'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
