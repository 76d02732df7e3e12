import lines from 'virtual:webhook-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { type LateContract, signedInApi } from '../../api/client.ts'

export type Webhook = OutputOf<Contract['webhooks']['get']>
export type WebhookSummary = z.output<Contract['webhooks']['get']['reduced']['output']>
export type WebhookWithSecret = OutputOf<Contract['webhooks']['create']>
export type WebhookEvent = OutputOf<Contract['webhooks']['events']>['items'][number]
export type WebhookEventSummary = z.output<Contract['webhooks']['event']['reduced']['output']>
export type EventWithDeliveries = OutputOf<Contract['webhooks']['event']>
export type Delivery = OutputOf<Contract['webhooks']['deliveries']>['items'][number]
export type EventTypeEntry = OutputOf<Contract['webhooks']['eventTypes']>['items'][number]

const PAGE_SIZE = 50
/** Health figures change without user action. */
const HEALTH_REFRESH_MS = 15_000
/** The user is waiting for a pending delivery's result. */
const PENDING_REFRESH_MS = 1000
const SOON_MS = 60_000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => webhookApi.webhooks.list(undefined, { signal }),
  refetchInterval: HEALTH_REFRESH_MS,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'item', id],
    queryFn: ({ signal }) => webhookApi.webhooks.get({ id }, { signal }),
    refetchInterval: HEALTH_REFRESH_MS,
  })

/** Fixed per release. */
export const eventTypesQuery = queryOptions({
  queryKey: ['webhooks', 'event-types'],
  queryFn: ({ signal }) => webhookApi.webhooks.eventTypes(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export interface EventFilter {
  webhookId?: string
  type?: string
  status?: WebhookEvent['status']
  direction?: WebhookEvent['direction']
  search?: string
  from?: string
  to?: string
}

export const eventsQuery = (filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'events', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) => {
      const { webhookId: id, ...rest } = filter
      const input = { limit: PAGE_SIZE, cursor, ...rest }
      return id === undefined
        ? webhookApi.webhooks.events(input, { signal })
        : webhookApi.webhooks.eventsOf({ id, ...input }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** Polls faster while a delivery is due. */
export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'event', eventId],
    queryFn: ({ signal }) => webhookApi.webhooks.event({ eventId }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries?.some(isDueSoon) ? PENDING_REFRESH_MS : HEALTH_REFRESH_MS,
  })

export const deliveriesQuery = (id: string, status: Delivery['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id, status],
    queryFn: ({ pageParam: cursor, signal }) =>
      webhookApi.webhooks.deliveries({ id, status, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some(isDueSoon) ? PENDING_REFRESH_MS : HEALTH_REFRESH_MS,
  })

/** Pending, or retrying within a minute: a worker that leases a delivery sets its next attempt 30 s ahead. */
const isDueSoon = ({ status, nextAttemptAt }: Delivery) =>
  status === 'pending' ||
  (status === 'retrying' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS)

/** These routes load with their pages. */
export const webhookApi = signedInApi<LateContract<'webhook'>>(lines)
