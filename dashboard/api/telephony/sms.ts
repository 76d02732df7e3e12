import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { LateContract } from '../client.ts'
import { telephonyApi } from './client.ts'

export type Sms = OutputOf<LateContract<'telephony'>['sms']['get']>
export type SmsConversation = OutputOf<LateContract<'telephony'>['sms']['conversations']>['items'][number]
export type OptOut = OutputOf<LateContract<'telephony'>['sms']['optOuts']>['items'][number]

const PAGE_SIZE = 50
const LIVE_MS = 5000

/** One per pair of numbers. */
export const smsConversationsQuery = (numberId?: string) =>
  infiniteQueryOptions({
    queryKey: ['telephony', 'sms-conversations', numberId] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      telephonyApi.sms.conversations({ numberId, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: LIVE_MS,
  })

/** The messages of one pair of numbers, newest first. */
export const threadQuery = (numberId: string, peer: string) =>
  infiniteQueryOptions({
    queryKey: ['telephony', 'sms', numberId, peer] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      telephonyApi.sms.list({ numberId, peer, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: LIVE_MS,
  })

export const optOutsQuery = infiniteQueryOptions({
  queryKey: ['telephony', 'opt-outs'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    telephonyApi.sms.optOuts({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})
