import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { type NewMessage, refreshConversationLists } from '../../../api/conversations.ts'
import { createRequestKey } from '../../../state/request-key.ts'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'

/** Copies the conversation before a message, sends another message in the copy, and opens the copy. */
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
