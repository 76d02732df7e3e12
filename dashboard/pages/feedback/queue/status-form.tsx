import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Status } from '../../../components/status.tsx'
import { PublicStatus } from '../feedback/public-status.tsx'
import type { InspectedItem } from './queue-queries.ts'
import { parseFeedbackStatus, QUEUE_STATUS, QUEUE_STATUSES } from './queue-status.ts'
import { useUpdateStatus } from './use-update-status.ts'

const NOTE_LENGTH_MAX = 2000

/** The status of a submission, the status its submitter sees, and a form to change it. */
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
