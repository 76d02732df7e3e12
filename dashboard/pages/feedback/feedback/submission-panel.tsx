import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { type Submission, submissionQuery } from './feedback-queries.ts'
import { MESSAGE_LENGTH_MAX } from './send-feedback.tsx'
import { PublicStatus, SubmissionDetails } from './submission-details.tsx'
import { Thread } from './thread.tsx'

const route = getRouteApi('/app/feedback/$id')

export function SubmissionPanel() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const submission = useQuery(submissionQuery(id))
  const close = async () => {
    await navigate({ to: '/feedback' })
    focusRow(id)
  }
  return (
    <Panel
      title="Submission"
      subtitle={submission.data && <Subtitle item={submission.data} />}
      onClose={close}
    >
      {submission.isPending && <SkeletonRows rows={3} />}
      {submission.error && !submission.data && (
        <Failure error={submission.error} onRetry={() => submission.refetch()} />
      )}
      {submission.data && (
        <div key={id}>
          <PanelSection>
            <MessageEditor item={submission.data} />
          </PanelSection>
          <SubmissionDetails item={submission.data} />
          <PanelSection title="Comments">
            <Thread feedbackId={id} />
          </PanelSection>
        </div>
      )}
    </Panel>
  )
}

function Subtitle({ item }: { item: Submission }) {
  return (
    <span className="flex items-center gap-12">
      <PublicStatus status={item.publicStatus} />
      <Time at={item.createdAt} />
    </span>
  )
}

/** Editable until an operator changes the status. */
function MessageEditor({ item }: { item: Submission }) {
  const [isEditing, setEditing] = useState(false)
  const [isLocked, setLocked] = useState(false)
  if (isEditing && item.editable) {
    return <Form item={item} onDone={() => setEditing(false)} onLocked={() => setLocked(true)} />
  }
  return (
    <div className="flex flex-col items-start gap-12">
      {isLocked && (
        <FormFailure>
          Not saved: an operator started reviewing this while you were editing. Add a comment instead.
        </FormFailure>
      )}
      <p className="w-full whitespace-pre-wrap break-words">{item.message}</p>
      {item.editable && (
        <Button size="small" onClick={() => setEditing(true)}>
          <Pencil aria-hidden className="icon" />
          Edit message
        </Button>
      )}
    </div>
  )
}

function Form({ item, onDone, onLocked }: { item: Submission; onDone: () => void; onLocked: () => void }) {
  const [message, setMessage] = useState(item.message)
  const queries = useQueryClient()
  const edit = useMutation({
    mutationFn: () => api.feedback.edit({ id: item.id, message }),
    onSuccess: (changed) => {
      queries.setQueryData(submissionQuery(item.id).queryKey, changed)
      onDone()
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'CONFLICT') onLocked()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['feedback'] }),
  })
  const save = () => {
    if (!edit.isPending && message.trim()) edit.mutate()
  }
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <FormFailure>{edit.error ? shortMessage(edit.error) : undefined}</FormFailure>
      <TextArea
        label="Message"
        rows={6}
        autoFocus
        required
        limit={MESSAGE_LENGTH_MAX}
        readOnly={edit.isPending}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={submitOnModEnter}
      />
      <div className="flex gap-8">
        <Button look="primary" type="submit" busy={edit.isPending} disabled={!message.trim()}>
          Save
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
