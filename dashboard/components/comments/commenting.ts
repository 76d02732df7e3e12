import { createContext, use } from 'react'
import type { CommentApi, Subject } from '../../api/comments.ts'

/** The target of a comment and its author. */
interface CommentContext {
  api: CommentApi
  subject: Subject
  isGuest: boolean
  /** The name that a guest entered; empty without one. */
  guestName: string
}

export const CommentingContext = createContext<CommentContext | null>(null)

export function useCommenting(): CommentContext {
  const commenting = use(CommentingContext)
  if (!commenting) throw new Error('useCommenting needs a CommentingContext')
  return commenting
}
