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
import type { Context, PublicContext } from '../../../context.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { findSettings, type SettingsRow, upsertSettings } from './settings-queries.ts'
import { verifyUnsubscribe } from './unsubscribe-token.ts'

type Channels = Record<NotificationKind, NotificationChannel>

export async function readSettings(ctx: Context) {
  const { orgId, userId } = ctx.caller
  return present(ctx, await findSettings(ctx.sql, orgId, userId))
}

export const updateSettings = (ctx: Context, input: InputOf<typeof notifications.updateSettings>) =>
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

/** The next morning in the time zone of a person. */
export const nextDigest = (timeZone: string, after: Date): Date | null =>
  new Cron(`0 ${NOTIFICATION_LIMITS.digestHour} * * *`, { timezone: timeZone, paused: true }).nextRun(after)

function present({ mail }: Context, row: SettingsRow) {
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

/** Ends the mails; notifications stay in the inbox. Repeating the call changes nothing. */
export const unsubscribe = (ctx: PublicContext, { token }: { token: string }) =>
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
