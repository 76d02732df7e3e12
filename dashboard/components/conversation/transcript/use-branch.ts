import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type NewMessage, refreshConversationLists } from '../../../api/conversations.ts'
import { createRequestKey } from '../../../state/random-id.ts'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'

/** Sends a message in a new branch, and opens it. */
export function useBranch() {
  const { conversation, onOpen } = useOpenConversation()
  const [requestKey] = useState(createRequestKey)
  return useMutation({
    mutationFn: ({ seq, message }: { seq: number; message: NewMessage }) => {
      const request = { id: conversation.id, seq, message }
      return api.sessions.branch(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: ({ id }) => {
      requestKey.reset()
      void refreshConversationLists()
      onOpen(id)
    },
    onError: toastFailure,
  })
}
