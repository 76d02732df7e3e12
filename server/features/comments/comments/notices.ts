import { MENTION } from '../../../../contract/comments/comment-options.ts'
import { isolateName, textWithNames } from '../../../../contract/text-with-names.ts'
import type { Context } from '../../../context.ts'
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
) => send(ctx, target, comment, mentioned, { kind: 'mention', action: 'mentioned you' })

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
  await send(ctx, target, reply, readers, { kind: 'reply', action: 'replied' })
}

async function send(
  ctx: Context<'mail' | 'vault'>,
  target: Target,
  comment: CommentRow,
  readers: readonly Reader[],
  { kind, action }: { kind: 'mention' | 'reply'; action: string },
): Promise<void> {
  const { orgId, userId, share } = ctx.caller
  const people = readers.filter(({ id }) => share || id !== userId).map(asRecipient)
  const title = `${action} on ${titleOf(target)}`
  const path = pathOf(target, comment)
  const key = `${kind}-${comment.id}`
  const { authorId, authorName } = comment
  const subject = `${isolateName(authorName)}${share ? ' (guest)' : ''} ${title}`
  // Guests are anonymous, so mails omit their text.
  const text = share ? subject : `${subject}:\n\n${shownBody(comment)}`
  await notify(
    ctx,
    orgId,
    people,
    {
      ...{ kind, key, title, path, commentId: comment.id },
      // A file may move to another project.
      projectId: target.type === 'file' ? null : target.projectId,
      actor: { id: authorId, name: authorName },
    },
    { id: key, subject, text: `${text}\n\nOpen it: ${ctx.mail.linkTo(path)}` },
  )
}

const asRecipient = ({ id, email, isVerified }: Reader): NotificationRecipient => ({
  userId: id,
  email,
  isVerified,
})

function titleOf({ title }: Target): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return textWithNames`“${line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).toWellFormed()}…` : line}”`
}

function pathOf({ type, id, projectId }: Target, { id: commentId, parentId }: CommentRow): string {
  const thread = parentId ?? commentId
  if (type === 'block') return `/projects/${projectId}?block=${id}&comment=${thread}`
  return type === 'run' ? `/runs/${id}?comment=${thread}` : `/files?file=${id}&comment=${thread}`
}

const shownBody = ({ body, mentions }: Pick<CommentRow, 'body' | 'mentions'>): string =>
  body.replace(MENTION, (_, id: string) => {
    const person = mentions.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? 'member'}`
  })
