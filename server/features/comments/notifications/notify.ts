import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../../../contract/languages.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { queueMail } from '../../../mail/mail.ts'
import { consumeNotificationMail } from '../../../mail/mail-limits.ts'
import { ENGLISH, speak, type Words } from '../../../mail/words.ts'
import { unsubscribePath } from './unsubscribe-token.ts'

export interface Notice {
  kind: NotificationKind
  /** Each user is notified once per key. */
  key: string
  /** A sentence in English, or with an actor, its predicate. By default the mail's subject. */
  title?: string
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

/** In each recipient's language. */
export type NoticeMail = (words: Words) => { subject: string; text: string }

type NotifyContext = Pick<JobContext<'mail' | 'vault'>, 'sql' | 'now' | 'mail' | 'vault'>

/** By each member's chosen channel. Must run in the cause's transaction. */
export async function notify(
  ctx: NotifyContext,
  orgId: string,
  people: readonly NotificationRecipient[],
  notice: Notice,
  mail: NoticeMail,
): Promise<void> {
  if (people.length === 0) return
  const ids = people.map(({ userId }) => userId)
  const title = notice.title ?? mail(ENGLISH).subject
  const inserted = await insertNotices(ctx.sql, orgId, ids, { ...notice, title }, ctx.now())
  for (const { userId, channel, language } of inserted) {
    if (channel === 'digest' && isTranslated(language)) {
      const { subject } = mail(speak(language))
      await updateDigestTitle(ctx.sql, orgId, userId, { key: notice.key, title: subject })
    }
    const recipient = people.find((person) => person.userId === userId)!
    if (channel === 'mail' && (recipient.isVerified ?? true))
      await send(ctx, orgId, { ...recipient, language }, notice, mail)
  }
}

async function send(
  ctx: NotifyContext,
  orgId: string,
  { userId, email, language }: NotificationRecipient & { language: Language | null },
  { kind, key }: Notice,
  mail: NoticeMail,
): Promise<void> {
  if (!(await consumeNotificationMail(ctx, email))) return
  const words = speak(language)
  const { subject, text } = mail(words)
  const message = {
    id: `${key}-to-${userId}`,
    to: email,
    subject,
    text: `${text}\n\n${settingsFooter(ctx, words)}`,
    unsubscribeUrl: ctx.mail.linkTo(unsubscribePath(ctx.vault, { orgId, userId, mailKind: kind })),
  }
  await queueMail(ctx.sql, orgId, message, ctx.now())
}

/** Otherwise a digest shows the title, with the actor's current name. */
export const isTranslated = (language: Language | null): boolean =>
  (language ?? DEFAULT_LANGUAGE) !== DEFAULT_LANGUAGE

export const settingsFooter = ({ mail }: Pick<JobContext<'mail'>, 'mail'>, { t }: Words) =>
  t`You receive this because of your notification settings: ${mail.linkTo('/settings/notifications')}`

/** Skips duplicates and members who turned it off. */
const insertNotices = (
  sql: Sql,
  orgId: string,
  userIds: string[],
  notice: Notice & { title: string },
  now: Date,
) => sql<{ userId: string; channel: NotificationChannel; language: Language | null }[]>`
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
  select i.user_id as "userId", c.channel, u.language from inserted i
  join chosen c on c.user_id = i.user_id join users u on u.id = i.user_id
  order by i.user_id`

const updateDigestTitle = (
  sql: Sql,
  orgId: string,
  userId: string,
  { key, title }: { key: string; title: string },
) => sql`
  update notifications set digest_title = ${title}
  where org_id = ${orgId} and user_id = ${userId} and key = ${key}`
