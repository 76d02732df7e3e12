import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { queueMail } from '../../../mail/mail.ts'
import { consumeNotificationMail } from '../../../mail/mail-limits.ts'
import { unsubscribePath } from './unsubscribe-token.ts'

export interface Notice {
  kind: NotificationKind
  /** Each user is notified once per key. */
  key: string
  /** A sentence, or with an actor, its predicate. */
  title: string
  path: string
  actor?: { id: string | null; name: string }
  /** The minimum role to see it. */
  role?: 'admin' | 'owner'
  /** The user must be able to see these. */
  projectId?: string | null
  commentId?: string
  connectionId?: string
}

export interface NotificationRecipient {
  userId: string
  email: string
  /** Default: true. */
  isVerified?: boolean
}

/** `-to-` and the user id are appended to its id. */
export interface NoticeMail {
  id: string
  subject: string
  text: string
}

type NotifyContext = Pick<JobContext<'mail' | 'vault'>, 'sql' | 'now' | 'mail' | 'vault'>

/** By each member's chosen channel. Must run in the cause's transaction. */
export async function notify(
  ctx: NotifyContext,
  orgId: string,
  people: readonly NotificationRecipient[],
  notice: Notice,
  mail?: NoticeMail,
): Promise<void> {
  if (people.length === 0) return
  const ids = people.map(({ userId }) => userId)
  const inserted = await insertNotices(ctx.sql, orgId, ids, notice, ctx.now())
  if (!mail) return
  const byMail = new Set(inserted.filter(({ channel }) => channel === 'mail').map(({ userId }) => userId))
  for (const { userId, email, isVerified = true } of people)
    if (byMail.has(userId) && isVerified) await send(ctx, orgId, { userId, email, kind: notice.kind }, mail)
}

async function send(
  ctx: NotifyContext,
  orgId: string,
  { userId, email, kind }: { userId: string; email: string; kind: NotificationKind },
  { id, subject, text }: NoticeMail,
): Promise<void> {
  if (!(await consumeNotificationMail(ctx, email))) return
  const footer = `You receive this because of your notification settings: ${ctx.mail.linkTo('/settings/notifications')}`
  const unsubscribeUrl = ctx.mail.linkTo(unsubscribePath(ctx.vault, { orgId, userId, mailKind: kind }))
  const mail = { id: `${id}-to-${userId}`, to: email, subject, text: `${text}\n\n${footer}`, unsubscribeUrl }
  await queueMail(ctx.sql, orgId, mail, ctx.now())
}

/** Skips duplicates and members who turned it off. */
const insertNotices = (sql: Sql, orgId: string, userIds: string[], notice: Notice, now: Date) => sql<
  { userId: string; channel: NotificationChannel }[]
>`
  with chosen as (
    select m.user_id, coalesce(s.channels ->> ${notice.kind}, ${NOTIFICATION_KINDS[notice.kind].channel}) as channel
    from memberships m left join notification_settings s on s.org_id = m.org_id and s.user_id = m.user_id
    where m.org_id = ${orgId} and m.user_id = any(${userIds}::uuid[])
  ), inserted as (
    insert into notifications (org_id, user_id, id, kind, key, title, path, actor_id, actor_name, role, project_id, comment_id,
      connection_id, created_at, is_digest_due)
    select ${orgId}::uuid, c.user_id, new_id(${now}), ${notice.kind}, ${notice.key}, ${notice.title}, ${notice.path},
      ${notice.actor?.id ?? null}::uuid, ${notice.actor?.id ? null : (notice.actor?.name ?? null)}, ${notice.role ?? null},
      ${notice.projectId ?? null}::uuid, ${notice.commentId ?? null}::uuid, ${notice.connectionId ?? null}::uuid,
      ${now}::timestamptz, c.channel = 'digest'
    from chosen c where c.channel <> 'off'
    on conflict (org_id, user_id, key) do nothing returning user_id
  )
  select i.user_id as "userId", c.channel from inserted i join chosen c on c.user_id = i.user_id`
