import lines from 'virtual:telephony-routes'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OutputOf, RequestOf } from '../../../contract/endpoint.ts'
import { type CallStatus, OPEN_CALL_STATUSES } from '../../../contract/telephony/telephony-options.ts'
import { type LateContract, signedInApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { refreshCounts } from '../../api/sidebar.ts'

export const telephonyApi = signedInApi<LateContract<'telephony'>>(lines)

export type Telephony = OutputOf<LateContract<'telephony'>['telephony']['overview']>
export type PhoneNumber = OutputOf<LateContract<'telephony'>['phoneNumbers']['get']>
export type Problem = Telephony['problems'][number]

const ACTIVE_REFETCH_MS = 3000
const IDLE_REFETCH_MS = 15_000
const PAGE_SIZE = 50

/** Refetched while visible: calls begin and end without an action on the page. */
export const overviewQuery = queryOptions({
  queryKey: ['telephony', 'overview'] as const,
  queryFn: ({ signal }) => telephonyApi.telephony.overview(undefined, { signal }),
  refetchInterval: ({ state }) =>
    state.data && state.data.activeCalls.length > 0 ? ACTIVE_REFETCH_MS : IDLE_REFETCH_MS,
})

const NUMBERS_PAGE = 100

/** Includes released numbers, which past calls and messages refer to. */
export const allNumbersQuery = queryOptions({
  queryKey: ['telephony', 'numbers'] as const,
  queryFn: async ({ signal }) => {
    const numbers: PhoneNumber[] = []
    let cursor: string | undefined
    do {
      const page = await telephonyApi.phoneNumbers.list({ limit: NUMBERS_PAGE, cursor }, { signal })
      numbers.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return numbers
  },
  staleTime: 30_000,
})

const usedNumbers = (numbers: PhoneNumber[]) => numbers.filter(({ status }) => status !== 'released')

/** Numbers in use, for choices. */
export const numbersQuery = queryOptions({ ...allNumbersQuery, select: usedNumbers })

/** One change affects several lists. */
export const refreshTelephony = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['telephony'] }), refreshCounts()])

export async function cacheNumber(number: PhoneNumber): Promise<void> {
  queryClient.setQueryData(overviewQuery.queryKey, (current) => {
    if (!current) return current
    const isKnown = current.numbers.some(({ id }) => id === number.id)
    return {
      ...current,
      numbers: isKnown
        ? current.numbers.map((each) => (each.id === number.id ? number : each))
        : [...current.numbers, number],
    }
  })
  await refreshTelephony()
}

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

/** Lists with more loaded pages refetch on focus only. */
const LIVE_PAGES_MAX = 2
export const isOpen = ({ status }: Pick<Call, 'status'>) => OPEN_CALL_STATUSES.includes(status)

/** Whether Atrium can end and transfer the call: ElevenLabs controls its own calls. */
export const isControllable = ({ provider }: Pick<Call, 'provider'>) => provider !== 'elevenlabs'

/** The other party's number, or the agent whom a member talks to in the browser. */
export const peerNumber = ({
  direction,
  from,
  to,
  provider,
}: Pick<Call, 'direction' | 'from' | 'to' | 'provider'>) =>
  direction === 'inbound' && provider !== 'browser' ? from : to

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

/** Also refetches the lists. */
export async function cacheCall(call: CallDetails): Promise<void> {
  queryClient.setQueryData(callQuery(call.id).queryKey, call)
  await refreshTelephony()
}

export type Sms = OutputOf<LateContract<'telephony'>['sms']['get']>
export type SmsConversation = OutputOf<LateContract<'telephony'>['sms']['conversations']>['items'][number]
export type OptOut = OutputOf<LateContract<'telephony'>['sms']['optOuts']>['items'][number]

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

/** Newest first. */
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

/** `version` changes with the rules. */
export const tryQuery = (attempt: Attempt | undefined, version: number) =>
  queryOptions({
    queryKey: ['telephony', 'try', attempt, version] as const,
    queryFn: ({ signal }) => telephonyApi.routing.try(attempt!, { signal }),
    enabled: attempt !== undefined,
    retry: false,
    placeholderData: attempt && keepPreviousData,
  })

/** Shows a new order before the server confirms it. */
export const editRules = (change: (items: RoutingRule[]) => RoutingRule[]) =>
  queryClient.setQueryData(
    rulesQuery.queryKey,
    (current) => current && { ...current, items: change(current.items) },
  )

export type VoiceAgent = OutputOf<LateContract<'telephony'>['voiceAgents']['list']>['items'][number]
export type NewVoiceAgent = OutputOf<LateContract<'telephony'>['voiceAgents']['create']>

export const voiceAgentsQuery = queryOptions({
  queryKey: ['telephony', 'voice-agents'] as const,
  queryFn: ({ signal }) => telephonyApi.voiceAgents.list(undefined, { signal }),
})
