import { createContext, use } from 'react'
import type { Conversation, ListedConversation } from '../../api/conversations.ts'
import type { OpenConversation } from './store/open-conversation.ts'

interface ConversationContextValue {
  open: OpenConversation
  conversation: Conversation
  /** Whether the reader may write: they can edit the project, and the conversation has not ended. */
  canWrite: boolean
  /** The conversations that branched from this one. */
  branches: readonly ListedConversation[]
  /** Shows another conversation, such as a branch. */
  onOpen: (id: string) => void
  /** Puts a text into the composer. */
  onCompose: (text: string) => void
}

const Value = createContext<ConversationContextValue | null>(null)

export const ConversationContext = Value.Provider

export function useOpenConversation(): ConversationContextValue {
  const value = use(Value)
  if (!value) throw new Error('A part of a conversation is rendered outside of it')
  return value
}
