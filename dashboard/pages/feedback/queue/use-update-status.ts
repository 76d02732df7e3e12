import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type InspectedItem, inspectQuery, type QueueData, type QueuedItem } from './queue-queries.ts'
import { QUEUE_STATUS } from './queue-status.ts'

interface StatusChange {
  item: QueuedItem
  status: FeedbackStatus
  taskId?: string | null
  note?: string
}

/** Changes the status optimistically; the toast offers undo, and an error reverts the change. */
export function useUpdateStatus() {
  const queries = useQueryClient()
  const update = useMutation({
    mutationFn: ({ item, status, taskId, note }: StatusChange) =>
      api.feedback.handle({ id: item.id, status, taskId, note: note || undefined }),
    onMutate: async ({ item, status }) => {
      await queries.cancelQueries({ queryKey: ['queue'] })
      const before = queries.getQueriesData({ queryKey: ['queue'] })
      applyToCache(queries, item, status)
      return { before }
    },
    onSuccess: (_, { item, status }) => {
      toast(withNames`Status changed to ${QUEUE_STATUS[status].label}`, {
        label: 'Undo',
        run: () => undo.mutate({ item, status: item.status, taskId: item.taskId }),
      })
    },
    onError: (error, _, context) => restore(queries, context?.before, error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['queue'] }),
  })
  const undo = useMutation({
    mutationFn: ({ item, status, taskId }: StatusChange) =>
      api.feedback.handle({ id: item.id, status, taskId }),
    onSuccess: (_, { status }) => toast(withNames`Status changed back to ${QUEUE_STATUS[status].label}`),
    onError: (error) => toast(shortMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['queue'] }),
  })
  return update
}

function applyToCache(queries: QueryClient, { id, status: from }: QueuedItem, to: FeedbackStatus) {
  queries.setQueryData(
    inspectQuery(id).queryKey,
    (item: InspectedItem | undefined) => item && { ...item, status: to },
  )
  queries.setQueriesData({ queryKey: ['queue', 'list'] }, (data: QueueData | undefined) => {
    if (!data) return data
    const pages = data.pages.map((page) => ({
      ...page,
      counts: { ...page.counts, [from]: page.counts[from] - 1, [to]: page.counts[to] + 1 },
      items: page.items.map((item) => (item.id === id ? { ...item, status: to } : item)),
    }))
    return { ...data, pages }
  })
}

function restore(queries: QueryClient, before: [readonly unknown[], unknown][] | undefined, error: Error) {
  for (const [key, data] of before ?? []) queries.setQueryData(key, data)
  toast(shortMessage(error))
}
