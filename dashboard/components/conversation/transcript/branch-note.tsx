import { useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import { conversationQuery } from '../../../api/conversations.ts'
import { useOpenConversation } from '../conversation-context.ts'

/** The conversation from which this one branched. */
export function BranchNote() {
  const { conversation, onOpen } = useOpenConversation()
  const origin = conversation.branchedFrom
  const original = useQuery({ ...conversationQuery(origin?.sessionId ?? ''), enabled: origin !== null })
  if (!origin || !original.data) return null
  return (
    <p className="flex items-center justify-center gap-4 text-12 text-neutral-11">
      <GitBranch aria-hidden className="icon" />
      Branch of
      <button
        type="button"
        className="max-w-form truncate underline underline-offset-2"
        onClick={() => onOpen(origin.sessionId)}
      >
        {original.data.title ?? 'another conversation'}
      </button>
    </p>
  )
}
