import type { NotifiedAction, SignInNotice } from '../../../../audit/sign-in-notices.ts'
import type { JobContext } from '../../../../context.ts'
import { queueMail } from '../../../../mail/mail.ts'
import { findEmail } from './email-queries.ts'

const TEXTS: Record<NotifiedAction, string> = {
  'password.changed': 'The password of your account was changed.',
  'email.change-requested':
    'A change of the email address of your account was requested. This address stays in use until the link that was sent to the new one is opened.',
  'email.changed': 'The email address of your account was changed. This address no longer signs in to it.',
  'totp.enabled': 'An authenticator app was added to your account.',
  'totp.removed': 'The authenticator app of your account was removed.',
  'recovery-codes.renewed': 'The recovery codes of your account were replaced.',
  'passkey.added': 'A passkey was added to your account.',
  'passkey.removed': 'A passkey of your account was removed.',
  'identity.linked': 'An external account was linked to your account and can now sign in to it.',
  'identity.unlinked': 'An external account was unlinked from your account.',
  'api-key.created': 'An API key was created for your account.',
  'app.connected': 'An app was connected to your account: it can act for you over MCP.',
}

export async function mailNotice(ctx: JobContext, { id, userId, action, address, at, to }: SignInNotice) {
  const recipient = to ?? (await findEmail(ctx.sql, userId))?.email
  if (!recipient) return
  const text = [
    TEXTS[action],
    `The request was made on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, from the IP address ${address}.`,
    `If you made this change, no action is needed. If not, ${remedy(ctx, action)}`,
  ].join('\n\n')
  const subject = 'A change to how you sign in to Atrium'
  await queueMail(ctx.sql, null, { id: `notice-${id}`, to: recipient, subject, text }, ctx.now())
}

/** After an email change, a link sent to the previous address no longer helps. */
const remedy = (ctx: JobContext, action: NotifiedAction) =>
  action === 'email.changed'
    ? 'contact an owner of your organization immediately: they can remove the account from it.'
    : `set a new password and end your other sessions: ${ctx.mail.linkTo('/settings/security')}`
