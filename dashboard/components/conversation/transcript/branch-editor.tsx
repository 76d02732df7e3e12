import { useState } from 'react'
import type { Message } from '../../../api/conversations.ts'
import { useLayer } from '../../../state/layers.ts'
import { Button } from '../../button.tsx'
import { CONTROL } from '../../forms/field.tsx'
import { attachmentsOf, messageWith } from '../view/attachments.ts'
import { useBranch } from './use-branch.ts'

interface BranchEditorProps {
  message: Message
  onClose: () => void
}

/** Edits a message. The edited message starts a branch, so that the original conversation stays. */
export function BranchEditor({ message, onClose }: BranchEditorProps) {
  const [text, setText] = useState(message.text)
  const branch = useBranch()
  useLayer(onClose)
  const send = () => {
    if (text.trim() === '' || branch.isPending) return
    branch.mutate({ seq: message.seq, message: messageWith(text, attachmentsOf(message)) })
  }
  return (
    <form
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        aria-label="Edited message"
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it.
        autoFocus
        rows={Math.min(text.split('\n').length + 1, 16)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          send()
          event.preventDefault()
          event.stopPropagation()
        }}
        className={`resize-y py-8 ${CONTROL}`}
      />
      <div className="flex flex-wrap items-center justify-end gap-8">
        <span className="mr-auto text-12 text-neutral-11">
          Sends to a branch. This conversation stays as it is.
        </span>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" busy={branch.isPending} disabled={text.trim() === ''}>
          Send in a branch
        </Button>
      </div>
    </form>
  )
}
