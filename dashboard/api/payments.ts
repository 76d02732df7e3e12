import lines from 'virtual:payment-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PaymentStatus } from '../../contract/billing/payment-options.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'
import { countsQuery } from './sidebar.ts'

/** Routes load with their pages. */
export const paymentApi = signedInApi<LateContract<'payment'>>(lines)

export type Payment = OutputOf<Contract['machinePayments']['list']>['items'][number]
export type PaymentDetails = OutputOf<Contract['machinePayments']['get']>
export type Mandate = OutputOf<Contract['mandates']['list']>['items'][number]
export type PaymentProvider = NonNullable<OutputOf<Contract['paymentProvider']['get']>['provider']>

const REFETCH_MS = 15_000

/** Agents pay without asking, so this refetches while visible. */
export const paymentsQuery = (status: PaymentStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['payments', 'list', status ?? 'all'],
    queryFn: ({ pageParam: cursor, signal }) =>
      paymentApi.machinePayments.list({ status, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  })

/** For the approvals page. */
export const waitingPaymentsQuery = queryOptions({
  queryKey: ['payments', 'waiting'],
  queryFn: ({ signal }) =>
    paymentApi.machinePayments.list({ status: 'requires_approval', limit: 100 }, { signal }),
  refetchInterval: REFETCH_MS,
})

export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'one', id],
    queryFn: ({ signal }) => paymentApi.machinePayments.get({ id }, { signal }),
    refetchInterval: REFETCH_MS,
  })

export const mandatesQuery = queryOptions({
  queryKey: ['payments', 'mandates'],
  queryFn: ({ signal }) => paymentApi.mandates.list(undefined, { signal }),
  refetchInterval: REFETCH_MS,
})

export const paymentProviderQuery = queryOptions({
  queryKey: ['payments', 'provider'],
  queryFn: ({ signal }) => paymentApi.paymentProvider.get(undefined, { signal }),
})

export const refreshPayments = () =>
  Promise.all(
    [['payments'], ['approvals'], countsQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
