import { Cron } from 'croner'
import {
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
  NOTIFICATION_LIMITS,
  type NotificationChannel,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import type { notifications } from '../../../../contract/comments/notifications.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Context, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { verifyUnsubscribe } from './unsubscribe-token.ts'

type Channels = Record<NotificationKind, NotificationChannel>

export async function readSettings(ctx: Context<'mail'>) {
  const { orgId, userId } = ctx.caller
  return present(ctx, await findSettings(ctx.sql, orgId, userId))
}

export const updateSettings = (ctx: Context<'mail'>, input: InputOf<typeof notifications.updateSettings>) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = inside.caller
    for (const [kind, channel] of Object.entries(input.channels ?? {}))
      if (!ctx.mail.canSend && (channel === 'mail' || channel === 'digest'))
        throw badField(`body.channels.${kind}`, 'must be app or off: this server sends no email')
    const before = await findSettings(inside.sql, orgId, userId)
    const channels = { ...before.channels, ...input.channels }
    await store(inside, orgId, userId, { channels, timeZone: input.timeZone ?? before.timeZone })
    return present(ctx, await findSettings(inside.sql, orgId, userId))
  })

async function store(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  userId: string,
  { channels, timeZone }: Pick<SettingsRow, 'channels' | 'timeZone'>,
): Promise<void> {
  const digestDueAt = Object.values(channels).includes('digest') ? nextDigest(timeZone, now()) : null
  await upsertSettings(sql, orgId, userId, { channels, timeZone, digestDueAt, now: now() })
}

/** Next morning in the user's time zone. */
export const nextDigest = (timeZone: string, after: Date): Date | null =>
  new Cron(`0 ${NOTIFICATION_LIMITS.digestHour} * * *`, { timezone: timeZone, paused: true }).nextRun(after)

function present({ mail }: Context<'mail'>, row: SettingsRow) {
  const channels = Object.fromEntries(
    NOTIFICATION_KIND_NAMES.map((kind) => {
      const channel = row.channels[kind] ?? NOTIFICATION_KINDS[kind].channel
      return [kind, mail.canSend || channel === 'off' ? channel : 'app']
    }),
  ) as Channels
  return {
    mail: { available: mail.canSend, verified: row.isVerified },
    timeZone: row.timeZone,
    digestHour: NOTIFICATION_LIMITS.digestHour,
    nextDigestAt: mail.canSend ? row.digestDueAt : null,
    channels,
  }
}

/** Stops mail only. The inbox stays. Idempotent. */
export const unsubscribe = (ctx: PublicContext<'vault'>, { token }: { token: string }) =>
  ctx.transaction(async (inside) => {
    const { orgId, userId, mailKind } = verifyUnsubscribe(ctx.vault, token) ?? raise(notFound('Subscription'))
    const before = await findSettings(inside.sql, orgId, userId)
    const unsubscribed =
      mailKind === 'digest'
        ? NOTIFICATION_KIND_NAMES.filter((kind) => before.channels[kind] === 'digest')
        : [mailKind]
    const channels = {
      ...before.channels,
      ...Object.fromEntries(unsubscribed.map((kind) => [kind, 'app' as const])),
    }
    if (before.isMember) await store(inside, orgId, userId, { channels, timeZone: before.timeZone })
    return { unsubscribed }
  })

interface SettingsRow {
  channels: Partial<Record<NotificationKind, NotificationChannel>>
  timeZone: string
  digestDueAt: string | null
  isVerified: boolean
  isMember: boolean
}

async function findSettings(sql: Sql, orgId: string, userId: string): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select coalesce(s.channels, '{}') as channels, coalesce(s.time_zone, 'UTC') as "timeZone",
      s.digest_due_at as "digestDueAt", u.email_verified_at is not null as "isVerified", m.user_id is not null as "isMember"
    from users u left join memberships m on m.org_id = ${orgId} and m.user_id = u.id
    left join notification_settings s on s.org_id = ${orgId} and s.user_id = u.id
    where u.id = ${userId}`
  return row ?? { channels: {}, timeZone: 'UTC', digestDueAt: null, isVerified: false, isMember: false }
}

const upsertSettings = (
  sql: Sql,
  orgId: string,
  userId: string,
  {
    channels,
    timeZone,
    digestDueAt,
    now,
  }: Pick<SettingsRow, 'channels' | 'timeZone'> & { digestDueAt: Date | null; now: Date },
) => sql`
  insert into notification_settings (org_id, user_id, channels, time_zone, digest_due_at, updated_at)
  values (${orgId}, ${userId}, ${sql.json(channels)}, ${timeZone}, ${digestDueAt}, ${now})
  on conflict (org_id, user_id) do update set channels = excluded.channels, time_zone = excluded.time_zone,
    digest_due_at = excluded.digest_due_at, updated_at = excluded.updated_at`

export interface DueDigest {
  orgId: string
  userId: string
  timeZone: string
}

/** Other processes skip locked rows. */
export async function lockDueDigest(sql: Sql, now: Date): Promise<DueDigest | null> {
  const [row] = await sql<DueDigest[]>`
    select org_id as "orgId", user_id as "userId", time_zone as "timeZone" from notification_settings
    where digest_due_at <= ${now} order by digest_due_at limit 1 for update skip locked`
  return row ?? null
}

/** Notifications from the last digest aren't repeated. */
export async function updateDigested(
  sql: Sql,
  orgId: string,
  userId: string,
  next: Date | null,
): Promise<void> {
  await sql`
    update notification_settings set digest_due_at = ${next} where org_id = ${orgId} and user_id = ${userId}`
  await sql`
    update notifications set is_digest_due = false
    where org_id = ${orgId} and user_id = ${userId} and is_digest_due`
}

/** Returns null without a verified email address. */
export async function findRecipient(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<
    {
      email: string
      language: Language | null
      role: 'owner' | 'admin' | 'member'
      organization: string
    }[]
  >`
    select u.email, u.language, m.role, o.name as organization from memberships m
    join users u on u.id = m.user_id and u.email_verified_at is not null join organizations o on o.id = m.org_id
    where m.org_id = ${orgId} and m.user_id = ${userId}`
  return row ?? null
}
