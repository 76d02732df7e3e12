import { MENTION } from '../../../../contract/comments/comment-options.ts'
import type { NotificationKind } from '../../../../contract/comments/notification-options.ts'
import type { notifications } from '../../../../contract/comments/notifications.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { countUnread, listNotifications, type NotificationRow, updateRead } from './queries.ts'

export async function list(ctx: Context<'vault'>, input: InputOf<typeof notifications.list>) {
  const { sql, caller, vault } = ctx
  const { limit, cursor, ...filter } = input
  const name = `notifications ${caller.orgId} ${caller.userId} ${JSON.stringify(filter)}`
  const position = { before: decodeCursor(vault, name, cursor), limit: limit + 1 }
  const [rows, unreadCount] = await Promise.all([
    listNotifications(sql, caller, filter, position),
    countUnread(sql, caller),
  ])
  return { ...cursorPage(vault, name, limit, rows, present), unreadCount }
}

/** The count covers all kinds. */
export async function listUnread(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  kinds: readonly NotificationKind[],
  limit: number,
) {
  const [rows, unreadCount] = await Promise.all([
    listNotifications(sql, caller, { unread: true, kinds }, { before: null, limit }),
    countUnread(sql, caller),
  ])
  return { items: rows.map(present), unreadCount }
}

export const count = async ({ sql, caller }: Context) => ({ unreadCount: await countUnread(sql, caller) })

export async function markRead(ctx: Context, { ids, read }: InputOf<typeof notifications.read>) {
  await updateRead(ctx.sql, ctx.caller, ids ?? null, read ? ctx.now() : null)
  return count(ctx)
}

const EXCERPT_LENGTH = 240

const present = (row: NotificationRow) => ({
  id: row.id,
  kind: row.kind,
  title: notificationTitle(row),
  excerpt: row.body === null ? null : excerptOf(row.body, row.mentioned ?? []),
  actor: row.actorName === null ? null : { id: row.actorId, name: row.actorName },
  path: row.path,
  target: row.target,
  projectId: row.projectId,
  projectName: row.projectName,
  readAt: row.readAt,
  createdAt: row.createdAt,
})

export const notificationTitle = ({ actorName, actorId, title }: NotificationRow) =>
  actorName === null ? title : `${actorName}${actorId === null ? ' (guest)' : ''} ${title}`

function excerptOf(body: string, people: { id: string; name: string }[]): string {
  const text = body.replace(MENTION, (_, id: string) => {
    const person = people.find((each) => each.id === id.toLowerCase())
    return `@${person?.name ?? 'member'}`
  })
  const line = withoutMarks(text).replace(/\s+/g, ' ').trim()
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : line
}

const withoutMarks = (body: string): string =>
  body
    .replace(/^\s*(?:#{1,6} |> ?|[-*+] (?:\[[ xX]\] )?|```\w*$)/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|~~|`/g, '')
