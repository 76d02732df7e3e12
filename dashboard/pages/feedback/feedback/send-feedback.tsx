import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { submitOnModEnter, TextArea } from '../../../components/forms/field.tsx'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { toast } from '../../../components/toast.tsx'
import { feedbackDraft } from '../../../state/feedback-draft.ts'
import { createRequestKey } from '../../../state/random-id.ts'
import { type ClientContext, ClientContextNote, readClientContext } from './client-context.tsx'
import { MESSAGE_LENGTH_MAX } from './limits.ts'

/** Feedback to the operators, available on every page. The draft is stored in this browser until it is sent or the user signs out. */
export function SendFeedback({ onClose }: { onClose: () => void }) {
  const draft = feedbackDraft(useSession().user.id)
  const [message, setMessage] = useState(draft.read)
  const [attached, setAttached] = useState<ClientContext | null>(readClientContext)
  const [requestKey] = useState(createRequestKey)
  const queries = useQueryClient()
  const navigate = useNavigate()

  const submit = useMutation({
    mutationFn: () => {
      const submission = { message, metadata: attached ?? undefined }
      return api.feedback.submit({ ...submission, idempotencyKey: requestKey.of(submission) })
    },
    onSuccess: ({ id }) => {
      draft.write('')
      onClose()
      toast('Feedback sent', { label: 'View', run: () => navigate({ to: '/feedback/$id', params: { id } }) })
      void queries.invalidateQueries({ queryKey: ['feedback'] })
      void queries.invalidateQueries({ queryKey: ['queue'] })
    },
  })
  const write = (text: string) => {
    setMessage(text)
    draft.write(text)
  }
  const send = () => {
    if (!submit.isPending && message.trim()) submit.mutate()
  }

  return (
    <Dialog title="Send feedback" onClose={onClose}>
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <FormFailure>{submit.error ? shortMessage(submit.error) : undefined}</FormFailure>
        <TextArea
          label="What works, what doesn’t, what’s missing?"
          hint="Sent to the operators of this server. Follow its status under Feedback."
          rows={6}
          required
          data-autofocus
          limit={MESSAGE_LENGTH_MAX}
          readOnly={submit.isPending}
          value={message}
          onChange={(event) => write(event.target.value)}
          onKeyDown={submitOnModEnter}
        />
        <ClientContextNote attached={attached} onChange={setAttached} />
        <DialogFooter>
          <span className={`mr-auto text-12 text-neutral-11 ${KEY_HINT}`}>
            <Keys keys="mod+Enter" /> to send
          </span>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={submit.isPending} disabled={!message.trim()}>
            Send
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
