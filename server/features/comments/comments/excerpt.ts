import { MENTION } from '../../../../contract/comments/comment-options.ts'
import type { CommentRow } from './records.ts'

/** The body with the names of the members that it mentions. */
export const shownBody = ({ body, mentions }: Pick<CommentRow, 'body' | 'mentions'>): string =>
  body.replace(MENTION, (_, id: string) => {
    const person = mentions.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? 'member'}`
  })
