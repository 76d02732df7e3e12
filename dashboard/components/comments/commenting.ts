import { createContext, use } from 'react'
import type { CommentApi, Subject } from '../../api/comments/comments.ts'

/** The target of a comment and its author. */
interface Commenting {
  api: CommentApi
  subject: Subject
  isGuest: boolean
  /** The name that a guest entered; empty without one. */
  guestName: string
}

export const CommentingContext = createContext<Commenting | null>(null)

export function useCommenting(): Commenting {
  const commenting = use(CommentingContext)
  if (!commenting) throw new Error('useCommenting needs a CommentingContext')
  return commenting
}
