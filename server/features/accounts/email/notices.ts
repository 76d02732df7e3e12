import type { JobContext } from '../../../context.ts'
import { queueMail } from '../../../mail/mail.ts'
import { findAddress } from './claim-email-queries.ts'

/** Changes to how somebody signs in, which they hear of in case it was not them. */
const NOTICES = {
  'password.changed': 'The password of your account was changed.',
  'email.change-requested':
    'Somebody asked to give your account another address. This one stays until the link that was mailed to the new one is followed.',
  'email.changed': 'Your account has another address now, and this one opens it no longer.',
  'totp.enabled': 'An authenticator app was added to your account.',
  'totp.removed': 'The authenticator app of your account was removed.',
  'recovery-codes.renewed': 'The recovery codes of your account were replaced.',
  'passkey.added': 'A passkey was added to your account.',
  'passkey.removed': 'A passkey of your account was removed.',
  'identity.linked': 'Your account was linked to an outside account that can now sign in to it.',
  'identity.unlinked': 'An outside account was unlinked from your account.',
  'api-key.created': 'An API key was made for your account.',
} as const

export type NoticedAction = keyof typeof NOTICES

export const isNoticed = (action: string): action is NoticedAction => action in NOTICES

interface Notice {
  /** That of the act in the audit trail. */
  id: string
  userId: string
  action: NoticedAction
  address: string
  at: string
  /** Where it goes, if not to the address of now. */
  to?: string | undefined
}

export async function mailNotice(ctx: JobContext, { id, userId, action, address, at, to }: Notice) {
  const recipient = to ?? (await findAddress(ctx.sql, userId))?.email
  if (!recipient) return
  const text = [
    NOTICES[action],
    `It happened on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, from the address ${address}.`,
    `If this was you, there is nothing to do. If not, ${remedy(ctx, action)}`,
  ].join('\n\n')
  const subject = 'A change to how you sign in to Atrium'
  await queueMail(ctx.sql, { id: `notice-${id}`, to: recipient, subject, text }, ctx.now())
}

/** Once the address is another, no link mailed here helps any more. */
const remedy = (ctx: JobContext, action: NoticedAction) =>
  action === 'email.changed'
    ? 'tell an owner of your organization at once: they can shut the account out of it.'
    : `set a new password and end your other sessions: ${ctx.origin.baseUrl}/settings/security`
