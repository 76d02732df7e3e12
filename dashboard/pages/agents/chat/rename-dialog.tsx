import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type Conversation, cacheConversation } from '../../../api/conversations.ts'
import { failureMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'

interface RenameDialogProps {
  conversation: Conversation
  onClose: () => void
}

export function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(conversation.title ?? '')
  const rename = useMutation({
    mutationFn: () => api.sessions.update({ id: conversation.id, title: title.trim() }),
    onSuccess: async (changed) => {
      await cacheConversation(changed)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Rename the conversation"
      action="Rename"
      busy={rename.isPending}
      failure={failureMessage(rename.error)}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Title"
        data-autofocus
        required
        limit={255}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  )
}
