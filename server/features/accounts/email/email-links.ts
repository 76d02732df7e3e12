import type { JobContext } from '../../../context.ts'
import { takeToken } from '../../../database/limits.ts'
import { queueMail } from '../../../mail/mail.ts'
import { issueToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { sha256 } from '../../../security/digest.ts'
import { findEmail, findUserByEmail } from './claim-email-queries.ts'

const MINUTE_S = 60
const HOUR_S = 3600

/**
 * Keeps others from flooding a mailbox. Every link stays good beside the next, so that they cannot keep the owner out
 * either.
 */
const MAILS_PER_RECIPIENT = { name: 'link-mails', capacity: 5, perSeconds: 600 }

const IGNORE = 'If you did not ask for this, you can ignore this mail.'

export async function mailMagicLink(
  ctx: JobContext,
  { id, email, next }: { id: string; email: string; next: string | null },
) {
  await ctx.transaction(async (inside) => {
    const user = await findUserByEmail(inside.sql, email)
    if (!user || !(await isMailAllowed(inside, 'magic-link', email))) return
    const token = await issueToken(inside, 'magic-link', {
      seconds: 5 * MINUTE_S,
      userId: user.userId,
      data: {},
    })
    const query = next ? `?next=${encodeURIComponent(next)}` : ''
    await queueLinkMail(inside, {
      id: `magic-link-${id}`,
      to: user.address,
      subject: 'Your link to sign in to Atrium',
      lines: [
        'Open this link to sign in. It works once, for five minutes:',
        linkTo(ctx, `/sign-in/link${query}`, token),
        IGNORE,
      ],
    })
  })
}

export async function mailPasswordReset(ctx: JobContext, { id, email }: { id: string; email: string }) {
  await ctx.transaction(async (inside) => {
    const user = await findUserByEmail(inside.sql, email)
    if (!user || !(await isMailAllowed(inside, 'password-reset', email))) return
    const token = await issueToken(inside, 'password-reset', {
      seconds: HOUR_S,
      userId: user.userId,
      data: {},
    })
    await queueLinkMail(inside, {
      id: `password-reset-${id}`,
      to: user.address,
      subject: 'Set a new password for Atrium',
      lines: [
        'Open this link to set a new password. It works once, for an hour, and signs you out everywhere else:',
        linkTo(ctx, '/reset-password', token),
        `${IGNORE} Your password stays as it is.`,
      ],
    })
  })
}

/** What waits for the mailed link of a sign-up to be followed. */
export interface PendingSignUp {
  name: string
  email: string
  organizationName: string
}

/** Nothing of what was typed in is in the mail: it goes to whomever the sender names. */
export async function mailSignUp(ctx: JobContext, { id, ...account }: PendingSignUp & { id: string }) {
  const { email } = account
  if (!(await isMailAllowed(ctx, 'sign-up', email))) return
  const known = await findUserByEmail(ctx.sql, email)
  await ctx.transaction(async (inside) => {
    const to = { id: `sign-up-${id}`, to: known?.address ?? email }
    if (known) {
      await queueLinkMail(inside, {
        ...to,
        subject: 'You have an Atrium account already',
        lines: [
          'Somebody, probably you, asked for an Atrium account with this address. There is one already. Sign in here, with a mailed link if you have no password:',
          `${ctx.origin.baseUrl}/sign-in`,
          IGNORE,
        ],
      })
      return
    }
    const token = await issueToken(inside, 'sign-up', { seconds: 24 * HOUR_S, data: account })
    await queueLinkMail(inside, {
      ...to,
      subject: 'Confirm your Atrium account',
      lines: [
        'Open this link to make your account. It works once, for a day:',
        linkTo(ctx, '/sign-up', token),
        `${IGNORE} No account is made then.`,
      ],
    })
  })
}

export async function mailVerification(ctx: JobContext, { id, userId }: { id: string; userId: string }) {
  const address = await findEmail(ctx.sql, userId)
  if (!address || address.isVerified) return
  await ctx.transaction(async (inside) => {
    const token = await issueToken(inside, 'email-verification', { seconds: 24 * HOUR_S, userId, data: {} })
    await queueLinkMail(inside, {
      id: `email-verification-${id}`,
      to: address.email,
      subject: 'Confirm your address for Atrium',
      lines: [
        'Open this link in the browser that you are signed in with, to confirm that this address is yours. It works once, for a day:',
        linkTo(ctx, '/verify-email', token),
        IGNORE,
      ],
    })
  })
}

/** What waits for the mailed link to be followed. */
export interface PendingEmailChange {
  email: string
}

/** Somebody who has the address already hears nothing: it is no news for them. */
export async function mailEmailChange(
  ctx: JobContext,
  { id, userId, email }: PendingEmailChange & { id: string; userId: string },
) {
  if ((await findUserByEmail(ctx.sql, email)) || !(await isMailAllowed(ctx, 'email-change', email))) return
  await ctx.transaction(async (inside) => {
    const data: PendingEmailChange = { email }
    const token = await issueToken(inside, 'email-change', { seconds: HOUR_S, userId, data })
    await queueLinkMail(inside, {
      id: `email-change-${id}`,
      to: email,
      subject: 'Confirm your new address for Atrium',
      lines: [
        'Open this link in the browser that you are signed in with, to make this the address of your account. It works once, for an hour:',
        linkTo(ctx, '/change-email', token),
        `${IGNORE} Nothing changes then.`,
      ],
    })
  })
}

const isMailAllowed = async (ctx: JobContext, kind: string, email: string) =>
  (await takeToken(ctx.sql, MAILS_PER_RECIPIENT, `${kind} ${sha256(email).toString('base64url')}`, ctx.now()))
    .allowed

/**
 * In the fragment, which browsers neither send nor log. From the server's own idea of its address: the one that a
 * request claims could be that of a thief, to whom the mail would then lead.
 */
const linkTo = (ctx: JobContext, page: string, token: string) => `${ctx.origin.baseUrl}${page}#${token}`

interface LinkMail {
  id: string
  to: string
  subject: string
  lines: string[]
}

const queueLinkMail = (ctx: JobContext, { lines, ...letter }: LinkMail) =>
  queueMail(ctx.sql, { ...letter, text: lines.join('\n\n') }, ctx.now())
