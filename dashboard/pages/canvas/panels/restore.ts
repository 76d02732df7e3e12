import { infiniteQueryOptions } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { toast } from '../../../components/toast.tsx'

export const refreshHistory = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: ['canvas-history', projectId] })

interface RestoreResult {
  snapshotId: string
  created: number
  updated: number
  deleted: number
}

/** Shows a toast with Undo. */
export async function restore(projectId: string, request: () => Promise<RestoreResult>) {
  try {
    const result = await request()
    const { snapshotId } = result
    toast(resultMessage(result), { label: t`Undo`, run: () => void undoRestore(projectId, snapshotId) })
  } catch (error) {
    toast(shortMessage(error))
  }
  await refreshHistory(projectId)
}

export async function undoRestore(projectId: string, snapshotId: string) {
  try {
    await api.canvas.restoreSnapshot({ projectId, snapshotId })
    toast(t`Restore undone`)
  } catch (error) {
    toast(shortMessage(error))
  }
  await refreshHistory(projectId)
}

function resultMessage({ created, updated, deleted }: RestoreResult): string {
  const parts = [
    created > 0 && t`${created} restored`,
    updated > 0 && t`${updated} reverted`,
    deleted > 0 && t`${deleted} removed`,
  ].filter(Boolean)
  return parts.length === 0
    ? t`Nothing to restore: the canvas is already in this state`
    : t`Canvas restored: ${parts.join(', ')}`
}

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
