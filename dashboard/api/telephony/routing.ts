import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OutputOf, RequestOf } from '../../../contract/endpoint.ts'
import type { LateContract } from '../client.ts'
import { queryClient } from '../query-client.ts'
import { telephonyApi } from './client.ts'

type Routing = LateContract<'telephony'>['routing']
export type RoutingRule = OutputOf<Routing['create']>
export type RuleAction = RoutingRule['action']
export type RuleMatch = RoutingRule['match']
export type NewRule = RequestOf<Routing['create']>
export type Attempt = RequestOf<Routing['try']>
export type TryResult = OutputOf<Routing['try']>

export const rulesQuery = queryOptions({
  queryKey: ['telephony', 'routing'] as const,
  queryFn: ({ signal }) => telephonyApi.routing.list(undefined, { signal }),
})

/** Which rule would answer. `version` changes with the rules. */
export const tryQuery = (attempt: Attempt | undefined, version: number) =>
  queryOptions({
    queryKey: ['telephony', 'try', attempt, version] as const,
    queryFn: ({ signal }) => telephonyApi.routing.try(attempt!, { signal }),
    enabled: attempt !== undefined,
    retry: false,
    placeholderData: attempt && keepPreviousData,
  })

/** Shows rules in a new order before the server has confirmed it. */
export const editRules = (change: (items: RoutingRule[]) => RoutingRule[]) =>
  queryClient.setQueryData(
    rulesQuery.queryKey,
    (current) => current && { ...current, items: change(current.items) },
  )
