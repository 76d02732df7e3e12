import type { Context, PublicContext } from '../context.ts'
import { takeToken } from '../database/limits.ts'
import { ApiError } from '../errors.ts'
import { sha256 } from '../security/digest.ts'

const HOUR_S = 3600

/** Senders can enter any email address, so all three are limited. */
const INVITES = {
  person: { name: 'invite-mails-person', capacity: 50, perSeconds: HOUR_S },
  organization: { name: 'invite-mails-organization', capacity: 200, perSeconds: HOUR_S },
  recipient: { name: 'invite-mails-recipient', capacity: 5, perSeconds: HOUR_S },
}
/** Other users can cause these. Those beyond the limit are dropped. */
const NOTIFICATIONS = { name: 'notification-mails', capacity: 60, perSeconds: HOUR_S }

const REFUSALS: Record<keyof typeof INVITES, string> = {
  person: `You have sent ${INVITES.person.capacity} invitations within an hour`,
  organization: `Your organization has sent ${INVITES.organization.capacity} invitations within an hour`,
  recipient: `This email address has received ${INVITES.recipient.capacity} invitations within an hour`,
}

export async function consumeInviteMail(ctx: Context, recipient: string): Promise<void> {
  const { orgId, userId } = ctx.caller
  // The most likely refusal comes first, so a refused call uses no other limit.
  await consume(ctx, 'recipient', hashOf(recipient))
  await consume(ctx, 'person', userId)
  await consume(ctx, 'organization', orgId)
}

async function consume(ctx: Context, limit: keyof typeof INVITES, key: string): Promise<void> {
  const { allowed, retrySeconds } = await takeToken(ctx.sql, INVITES[limit], key, ctx.now())
  if (allowed) return
  throw new ApiError('RATE_LIMITED', `${REFUSALS[limit]}: try again in ${retrySeconds} s`, {
    details: { reason: 'mail_limit', limit, allowed: INVITES[limit].capacity, perSeconds: HOUR_S },
    headers: { 'retry-after': String(retrySeconds) },
  })
}

export const consumeNotificationMail = async (
  ctx: Pick<PublicContext, 'sql' | 'now'>,
  recipient: string,
): Promise<boolean> => (await takeToken(ctx.sql, NOTIFICATIONS, hashOf(recipient), ctx.now())).allowed

/** Lowercased so that all spellings share a limit. */
const hashOf = (email: string) => sha256(email.toLowerCase()).toString('base64url')
