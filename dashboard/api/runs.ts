import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

/** As in lists, without its result. */
export type AgentRun = OutputOf<Contract['agentRuns']['list']>['items'][number]
export type RunDetails = OutputOf<Contract['agentRuns']['get']>
export type AgentStep = OutputOf<Contract['agentRuns']['steps']>['items'][number]
export type AgentCall = AgentStep['calls'][number]
export type AgentProgram = NonNullable<AgentCall['program']>
export type RunStatus = AgentRun['status']
export type RunTrigger = AgentRun['trigger']

const PAGE_SIZE = 50
/** Longer lists refetch on focus only. */
const LIVE_PAGES_MAX = 2
const ACTIVE_REFETCH_MS = 3000
const IDLE_REFETCH_MS = 15_000

export interface RunFilter {
  status?: RunStatus
  trigger?: RunTrigger
  projectId?: string
  agentId?: string
  scheduleId?: string
  since?: string
}

export const isActive = ({ status }: Pick<AgentRun, 'status'>) =>
  status === 'queued' || status === 'running' || status === 'waiting'

/** Refetches while visible, more often while a run is active. */
export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'list', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.agentRuns.list({ ...filter, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.pages.length > LIVE_PAGES_MAX) return false
      return data.pages.some(({ items }) => items.some(isActive)) ? ACTIVE_REFETCH_MS : IDLE_REFETCH_MS
    },
  })

const SCHEDULED_MAX = 100

/** The newest runs of all schedules, for their lists. */
export const scheduledRunsQuery = queryOptions({
  queryKey: ['runs', 'list', 'scheduled'],
  queryFn: ({ signal }) => api.agentRuns.list({ trigger: 'schedule', limit: SCHEDULED_MAX }, { signal }),
  refetchInterval: IDLE_REFETCH_MS,
})

export type RunStats = OutputOf<Contract['agentRuns']['stats']>
export type RunStripItem = OutputOf<Contract['agentRuns']['strips']>['items'][number]

/** From this browser's midnight. */
export const statsQuery = (since: string) =>
  queryOptions({
    queryKey: ['runs', 'stats', since],
    queryFn: ({ signal }) => api.agentRuns.stats({ since }, { signal }),
    refetchInterval: IDLE_REFETCH_MS,
    placeholderData: keepPreviousData,
  })

/** One request for a page of runs, again while one of them is active. */
export const stripsQuery = (runs: readonly Pick<AgentRun, 'id' | 'status' | 'steps'>[]) =>
  queryOptions({
    queryKey: ['runs', 'strips', runs.map(({ id, status, steps }) => [id, status, steps])] as const,
    queryFn: ({ signal }) => api.agentRuns.strips({ ids: runs.map(({ id }) => id).join(',') }, { signal }),
    enabled: runs.length > 0,
    staleTime: runs.some(isActive) ? 0 : Number.POSITIVE_INFINITY,
    refetchInterval: runs.some(isActive) ? ACTIVE_REFETCH_MS : false,
    placeholderData: keepPreviousData,
  })

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'item', id],
    queryFn: ({ signal }) => api.agentRuns.get({ id }, { signal }),
  })

export const stepsQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'steps', id],
    queryFn: ({ signal }) => api.agentRuns.steps({ id }, { signal }),
  })

export const childrenQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['runs', 'children', id],
    queryFn: ({ signal }) => api.agentRuns.children({ id }, { signal }),
    refetchInterval: isLive ? ACTIVE_REFETCH_MS : false,
  })

/** An attempt's prompt never changes, except for a note about the project's instructions. */
export const promptQuery = (id: string, n: number, attempt: number) =>
  queryOptions({
    queryKey: ['runs', 'prompt', id, n, attempt],
    queryFn: ({ signal }) => api.agentRuns.prompt({ id, n, attempt }, { signal }),
  })

export const refreshSteps = (id: string) =>
  queryClient.invalidateQueries({ queryKey: stepsQuery(id).queryKey })

export const refreshRun = (id: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: runQuery(id).queryKey }),
    refreshSteps(id),
    queryClient.invalidateQueries({ queryKey: ['runs', 'changes', id] }),
    queryClient.invalidateQueries({ queryKey: ['runs', 'list'] }),
  ])

export type RunChange = OutputOf<Contract['agentRuns']['changes']>['items'][number]
export type UndoPlan = OutputOf<Contract['agentRuns']['undo']>

export const changesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'changes', id] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.agentRuns.changes({ id, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** Fails with NOT_FOUND if the file didn't exist then, or the server no longer has it. */
export const changedTextQuery = (id: string, fileId: string, version: 'before' | 'after') =>
  queryOptions({
    queryKey: ['runs', 'changed-text', id, fileId, version],
    queryFn: ({ signal }) => api.agentRuns.changedText({ id, fileId, version }, { signal }),
  })

export const undoPlanQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'undo', id],
    queryFn: ({ signal }) => api.agentRuns.undo({ id, dryRun: 'true' }, { signal }),
    staleTime: 0,
  })

const PROGRAM_CALLS_PAGE = 100

/** A program's calls after the first ones, which its step has. Refreshed with its run. */
export const programCallsQuery = (runId: string, n: number, ordinal: number, after: number) =>
  infiniteQueryOptions({
    queryKey: [...stepsQuery(runId).queryKey, 'calls', n, ordinal, after] as const,
    queryFn: ({ pageParam, signal }) =>
      api.agentRuns.programCalls(
        { id: runId, n, ordinal, after: pageParam, limit: PROGRAM_CALLS_PAGE },
        { signal },
      ),
    initialPageParam: after,
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.number : undefined),
  })

/** One, with its whole input and its output. `version` changes with it. */
export const programCallQuery = (
  runId: string,
  n: number,
  ordinal: number,
  number: number,
  version: string,
) =>
  queryOptions({
    queryKey: ['runs', 'program-call', runId, n, ordinal, number, version] as const,
    queryFn: async ({ signal }) => {
      const { items } = await api.agentRuns.programCalls(
        { id: runId, n, ordinal, after: number - 1, limit: 1 },
        { signal },
      )
      return items[0] ?? null
    },
  })
