import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Conversation } from '../../../api/conversations.ts'
import {
  ConversationContext,
  useConversation,
} from '../../../components/conversation/conversation-context.ts'
import { Transcript } from '../../../components/conversation/transcript/transcript.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'

/** Has no message field: during a call, a member whispers to the agent or ends the call. */
export function CallTranscript({ sessionId }: { sessionId: string }) {
  const liveConversation = useConversation(sessionId)
  const { open, state, conversation } = liveConversation
  const error = conversation.error ?? state.error
  if (error && (!conversation.data || !state.isLoaded))
    return (
      <Failure
        error={error}
        onRetry={() => {
          void conversation.refetch()
          void open.load()
        }}
      />
    )
  if (!conversation.data || !state.isLoaded) return <SkeletonRows rows={4} />
  return <LoadedTranscript liveConversation={liveConversation} record={conversation.data} />
}

interface LoadedTranscriptProps {
  liveConversation: ReturnType<typeof useConversation>
  record: Conversation
}

function LoadedTranscript({ liveConversation: { open, state, entries }, record }: LoadedTranscriptProps) {
  const navigate = useNavigate()
  const [stableValues] = useState(() => ({
    branches: [],
    canWrite: false,
    onOpen: (sessionId: string) =>
      void navigate({ to: '/chat/$sessionId', params: { sessionId }, search: {} }),
    onCompose: () => {},
  }))
  return (
    <ConversationContext value={{ open, conversation: record, ...stableValues }}>
      <Transcript
        state={state}
        entries={entries}
        top={entries.length === 0 && <p className="text-13 text-neutral-11">Nothing has been said yet.</p>}
      />
    </ConversationContext>
  )
}
