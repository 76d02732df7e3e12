import { MENTION } from '../../../../contract/comments/comment-options.ts'
import { isolateName } from '../../../../contract/text-with-names.ts'
import type { Context } from '../../../context.ts'
import type { Words } from '../../../mail/words.ts'
import { type NotificationRecipient, notify } from '../notifications/notifications.ts'
import { listAuthors } from './queries.ts'
import type { CommentRow, Target } from './records.ts'
import { listReaders, type Reader } from './target.ts'

const TITLE_LENGTH = 60

/** An edit notifies only newly mentioned members. */
export const notifyOfMentions = (
  ctx: Context<'mail' | 'vault'>,
  target: Target,
  comment: CommentRow,
  mentioned: Reader[],
) => send(ctx, target, comment, mentioned, 'mention')

/** Authors who can still see it, except those mentioned. */
export async function notifyOfReply(
  ctx: Context<'mail' | 'vault'>,
  target: Target,
  reply: CommentRow,
  mentioned: Reader[],
) {
  const { sql, caller } = ctx
  const authors = await listAuthors(sql, caller.orgId, reply.parentId!)
  const otherAuthors = authors.filter((id) => !mentioned.some((reader) => reader.id === id))
  const readers = await listReaders(sql, caller.orgId, target, otherAuthors)
  await send(ctx, target, reply, readers, 'reply')
}

async function send(
  ctx: Context<'mail' | 'vault'>,
  target: Target,
  comment: CommentRow,
  readers: readonly Reader[],
  kind: CommentNotice,
): Promise<void> {
  const { orgId, userId, share } = ctx.caller
  const people = readers.filter(({ id }) => share || id !== userId).map(asRecipient)
  const path = pathOf(target, comment)
  const key = `${kind}-${comment.id}`
  const { authorId, authorName } = comment
  await notify(
    ctx,
    orgId,
    people,
    {
      ...{
        kind,
        key,
        title: `${PREDICATES[kind]} on “${isolateName(titleOf(target))}”`,
        path,
        commentId: comment.id,
      },
      // A file may move to another project.
      projectId: target.type === 'file' ? null : target.projectId,
      actor: { id: authorId, name: authorName },
    },
    (words) => {
      const { t } = words
      const subject = (share ? guestSubjects : subjects)(words, authorName, target)[kind]
      // Guests are anonymous, so mails omit their text.
      const text = share ? subject : `${subject}:\n\n${shownBody(words, comment)}`
      return { subject, text: `${text}\n\n${t`Open it: ${ctx.mail.linkTo(path)}`}` }
    },
  )
}

type CommentNotice = 'mention' | 'reply'

/** Stored without the author, whose name may change. */
const PREDICATES: Record<CommentNotice, string> = { mention: 'mentioned you', reply: 'replied' }

const subjects = (
  { textWithNames }: Words,
  author: string,
  target: Target,
): Record<CommentNotice, string> => ({
  mention: textWithNames`${author} mentioned you on “${titleOf(target)}”`,
  reply: textWithNames`${author} replied on “${titleOf(target)}”`,
})

const guestSubjects = (
  { textWithNames }: Words,
  author: string,
  target: Target,
): Record<CommentNotice, string> => ({
  mention: textWithNames`${author} (guest) mentioned you on “${titleOf(target)}”`,
  reply: textWithNames`${author} (guest) replied on “${titleOf(target)}”`,
})

const asRecipient = ({ id, email, isVerified }: Reader): NotificationRecipient => ({
  userId: id,
  email,
  isVerified,
})

function titleOf({ title }: Target): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).toWellFormed()}…` : line
}

function pathOf({ type, id, projectId }: Target, { id: commentId, parentId }: CommentRow): string {
  const thread = parentId ?? commentId
  if (type === 'block') return `/projects/${projectId}?block=${id}&comment=${thread}`
  return type === 'run' ? `/runs/${id}?comment=${thread}` : `/files?file=${id}&comment=${thread}`
}

const shownBody = ({ t }: Words, { body, mentions }: Pick<CommentRow, 'body' | 'mentions'>): string =>
  body.replace(MENTION, (_, id: string) => {
    const person = mentions.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? t`member`}`
  })
