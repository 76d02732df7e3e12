import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { LateContract } from '../client.ts'
import { queryClient } from '../query-client.ts'
import { telephonyApi } from './client.ts'

export type Telephony = OutputOf<LateContract<'telephony'>['telephony']['overview']>
export type PhoneNumber = OutputOf<LateContract<'telephony'>['phoneNumbers']['get']>
export type Problem = Telephony['problems'][number]

const ACTIVE_REFETCH_MS = 3000
const IDLE_REFETCH_MS = 15_000

/** Refetched while the page is visible: calls begin and end without an action on it. */
export const overviewQuery = queryOptions({
  queryKey: ['telephony', 'overview'] as const,
  queryFn: ({ signal }) => telephonyApi.telephony.overview(undefined, { signal }),
  refetchInterval: ({ state }) =>
    state.data && state.data.activeCalls.length > 0 ? ACTIVE_REFETCH_MS : IDLE_REFETCH_MS,
})

const NUMBERS_PAGE = 100

/** All numbers, including released ones, which past calls and messages have. */
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

/** The numbers that are in use, for choices. */
export const numbersQuery = queryOptions({ ...allNumbersQuery, select: usedNumbers })

/** Refetches all data of telephony, since one change affects several lists. */
export const refreshTelephony = () => queryClient.invalidateQueries({ queryKey: ['telephony'] })

/** Shows a changed number immediately. */
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
