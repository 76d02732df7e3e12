import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { Status } from '../../../components/status.tsx'
import { toast } from '../../../components/toast.tsx'
import { PublicStatus } from '../feedback/submission-details.tsx'
import { type InspectedItem, inspectQuery, type QueueData, type QueuedItem } from './queue-queries.ts'
import { parseFeedbackStatus, QUEUE_STATUS, QUEUE_STATUSES } from './queue-status.ts'

const NOTE_LENGTH_MAX = 2000

export function StatusForm({ item }: { item: InspectedItem }) {
  const [to, setTo] = useState(QUEUE_STATUS[item.status].next)
  const [taskId, setTaskId] = useState(item.taskId ?? '')
  const [note, setNote] = useState('')
  const update = useUpdateStatus()
  const { label, meaning } = QUEUE_STATUS[item.status]
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate({
          item,
          status: to,
          note: note.trim(),
          ...(to === 'linked' && { taskId: taskId.trim() }),
        })
      }}
    >
      <p className="flex flex-wrap items-center gap-x-16 gap-y-4 text-13 text-neutral-11">
        <Status meaning={meaning}>{label}</Status>
        <span className="inline-flex items-center gap-8">
          Submitter sees <PublicStatus status={item.publicStatus} />
        </span>
      </p>
      <div className="grid gap-12 sm:grid-cols-2">
        <Select
          label="New status"
          value={to}
          onChange={(event) => setTo(parseFeedbackStatus(event.target.value) ?? to)}
        >
          {QUEUE_STATUSES.filter((status) => status !== item.status).map((status) => (
            <option key={status} value={status}>
              {QUEUE_STATUS[status].label}
            </option>
          ))}
        </Select>
        {to === 'linked' && (
          <TextField
            label="Task ID"
            placeholder="ENG-1042"
            required
            limit={200}
            value={taskId}
            onChange={(event) => setTaskId(event.target.value)}
          />
        )}
        <div className={to === 'linked' ? 'sm:col-span-2' : ''}>
          <TextField
            label="Internal note (optional)"
            limit={NOTE_LENGTH_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
      </div>
      <Button look="primary" type="submit" busy={update.isPending} className="self-start">
        Change to {QUEUE_STATUS[to].label}
      </Button>
    </form>
  )
}

interface StatusChange {
  item: QueuedItem
  status: FeedbackStatus
  taskId?: string | null
  note?: string
}

/** Optimistic. The toast offers undo, and an error reverts. */
function useUpdateStatus() {
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
        label: t`Undo`,
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
