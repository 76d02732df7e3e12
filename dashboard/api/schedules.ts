import lines from 'virtual:schedule-routes'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'

export type Schedule = OutputOf<LateContract<'schedule'>['schedules']['get']>

export const scheduleApi = signedInApi<LateContract<'schedule'>>(lines)

const PAGE_SIZE = 50
const REFETCH_MS = 15_000

/** Refetches while visible, because runs start on their own. */
export const schedulesQuery = infiniteQueryOptions({
  queryKey: ['schedules', 'list'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    scheduleApi.schedules.list({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: REFETCH_MS,
})

export const timesQuery = (cron: string, timeZone: string) =>
  queryOptions({
    queryKey: ['schedules', 'preview', cron, timeZone],
    queryFn: ({ signal }) => scheduleApi.schedules.preview({ cron, timeZone }, { signal }),
    enabled: cron.trim() !== '' && timeZone !== '',
    retry: false,
    placeholderData: keepPreviousData,
  })

export const refreshSchedules = () => queryClient.invalidateQueries({ queryKey: ['schedules', 'list'] })
