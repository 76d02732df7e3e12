import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf, RequestOf } from '../../../contract/endpoint.ts'
import { type CallStatus, OPEN_CALL_STATUSES } from '../../../contract/telephony/telephony-options.ts'
import type { LateContract } from '../client.ts'
import { queryClient } from '../query-client.ts'
import { telephonyApi } from './client.ts'
import { refreshTelephony } from './overview.ts'

export type Call = OutputOf<LateContract<'telephony'>['calls']['list']>['items'][number]
export type CallDetails = OutputOf<LateContract<'telephony'>['calls']['get']>
export type NewCall = RequestOf<LateContract<'telephony'>['calls']['create']>

export interface CallFilter {
  direction?: Call['direction']
  status?: CallStatus
  numberId?: string
  agentId?: string
  peer?: string
}

const PAGE_SIZE = 50
/** A list with more loaded pages than this is refetched on focus only. */
const LIVE_PAGES_MAX = 2
const ACTIVE_REFETCH_MS = 3000
const IDLE_REFETCH_MS = 15_000

export const isOpen = ({ status }: Pick<Call, 'status'>) => OPEN_CALL_STATUSES.includes(status)

/** Whether Atrium can end and transfer the call: ElevenLabs controls its own calls. */
export const isControllable = ({ provider }: Pick<Call, 'provider'>) => provider !== 'elevenlabs'

/** The other side of a call or a message. */
export const peerOf = ({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>) =>
  direction === 'inbound' ? from : to

export const callsQuery = (filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: ['telephony', 'calls', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      telephonyApi.calls.list({ ...filter, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.pages.length > LIVE_PAGES_MAX) return false
      return data.pages.some(({ items }) => items.some(isOpen)) ? ACTIVE_REFETCH_MS : IDLE_REFETCH_MS
    },
  })

/** An ended call still changes: its cost, recording and transcript arrive later. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['telephony', 'call', id] as const,
    queryFn: ({ signal }) => telephonyApi.calls.get({ id }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && !isOpen(data) ? IDLE_REFETCH_MS : ACTIVE_REFETCH_MS),
  })

/** Shows a changed call immediately, and reads the lists again. */
export async function cacheCall(call: CallDetails): Promise<void> {
  queryClient.setQueryData(callQuery(call.id).queryKey, call)
  await refreshTelephony()
}
