import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'

const PAGE_SIZE = 100

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

export const historyQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['canvas-history', projectId, 'history'],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.canvas.history({ projectId, limit: PAGE_SIZE, cursor }, { signal }),
    ...pages,
  })

export const snapshotsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['canvas-history', projectId, 'snapshots'],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.canvas.snapshots({ projectId, limit: PAGE_SIZE, cursor }, { signal }),
    ...pages,
  })

export const runsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['canvas-history', projectId, 'runs'],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.runs.list({ projectId, limit: PAGE_SIZE, cursor }, { signal }),
    ...pages,
  })
