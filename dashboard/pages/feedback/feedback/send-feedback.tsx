import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
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
import { shownTheme } from '../../../state/theme.ts'

/** Mirrors contract/feedback.ts, which isn't bundled for the browser. The server enforces it. */
export const MESSAGE_LENGTH_MAX = 5000

/** The draft stays in this browser until it's sent or the user signs out. */
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
      toast(t`Feedback sent`, {
        label: t`View`,
        run: () => navigate({ to: '/feedback/$id', params: { id } }),
      })
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
          hint="Goes to this server’s operators. Follow its status under Feedback."
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

/** Shown before sending. A type alias, since the API takes any JSON object. */
type ClientContext = {
  route: string
  viewport: { width: number; height: number }
  theme: 'light' | 'dark'
  userAgent: string
}

/** Omits the hash, which may contain a secret. */
const readClientContext = (): ClientContext => ({
  route: location.pathname + location.search,
  viewport: { width: innerWidth, height: innerHeight },
  theme: shownTheme(),
  userAgent: navigator.userAgent,
})

const THEME_NAMES = { light: t`light theme`, dark: t`dark theme` }

interface ClientContextNoteProps {
  attached: ClientContext | null
  onChange: (attached: ClientContext | null) => void
}

function ClientContextNote({ attached, onChange }: ClientContextNoteProps) {
  if (!attached) {
    return (
      <p className="flex items-center gap-8 text-12 text-neutral-11">
        No page details attached.
        <Button size="small" look="quiet" onClick={() => onChange(readClientContext())}>
          Attach page details
        </Button>
      </p>
    )
  }
  const { route, viewport, theme, userAgent } = attached
  return (
    <div className="flex items-start gap-8 rounded-control border border-neutral-6 py-8 pr-8 pl-12 text-12 text-neutral-11">
      <div className="min-w-0 flex-1 break-words">
        <p>
          Attached: page <span className="font-mono text-neutral-12">{route}</span>, window {viewport.width}×
          {viewport.height}, {THEME_NAMES[theme]}, browser
        </p>
        <p>{userAgent}</p>
      </div>
      <Button size="small" look="quiet" aria-label="Remove attachment" onClick={() => onChange(null)}>
        Remove
      </Button>
    </div>
  )
}
