import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type NewMessage, refreshConversationLists } from '../../../api/conversations.ts'
import { randomId } from '../../../state/random-id.ts'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'

/** Copies the conversation before a message, sends another one there, and opens it. The original stays. */
export function useBranch() {
  const { conversation, onOpen } = useOpenConversation()
  const [idempotencyKey] = useState(randomId)
  return useMutation({
    mutationFn: ({ seq, message }: { seq: number; message: NewMessage }) =>
      api.sessions.branch({ id: conversation.id, seq, message }, { idempotencyKey }),
    onSuccess: ({ id }) => {
      void refreshConversationLists()
      onOpen(id)
    },
    onError: toastFailure,
  })
}
