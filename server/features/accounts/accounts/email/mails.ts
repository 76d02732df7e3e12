import type { Language } from '../../../../../contract/languages.ts'
import type { NotifiedAction, SignInNotice } from '../../../../audit/sign-in-notices.ts'
import type { Config } from '../../../../config/config.ts'
import type { JobContext } from '../../../../context.ts'
import { takeToken } from '../../../../database/limits.ts'
import { queueMail, queueSignInMail } from '../../../../mail/mail.ts'
import { speak, type Words } from '../../../../mail/words.ts'
import { issueToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { sha256 } from '../../../../security/digest.ts'
import { findEmail, findVerifiedUser, hasUnverifiedUser } from './email-queries.ts'
import type { UnclaimedAddress } from './mailed-link.ts'

const MINUTE_S = 60
const HOUR_S = 3600

/** Prevents mailbox flooding. New links don't invalidate earlier ones, so others' requests can't lock the owner out. */
const MAILS_PER_RECIPIENT = { name: 'link-mails', capacity: 5, perSeconds: 600 }

const ignore = ({ t }: Words) => t`If you did not request this, you can ignore this email.`

/** The page's, for recipients whose language is unknown. */
interface PageLanguage {
  language?: Language | null
}

export const mailMagicLink =
  (signup: Config['signup']) =>
  async (
    ctx: JobContext<'mail'>,
    { id, email, next, language }: { id: string; email: string; next: string | null } & PageLanguage,
  ) => {
    await ctx.transaction(async (inside) => {
      const recipient = await findRecipient(inside, email)
      if (!recipient || !(await isMailAllowed(inside, 'magic-link', email))) return
      const words = speak(mailLanguage(recipient, language))
      const { t } = words
      const mail = { id: `magic-link-${id}`, to: recipient.email, subject: t`Your Atrium sign-in link` }
      if (!recipient.userId && signup !== 'open') return queueUnverifiedMail(inside, words, mail)
      const token = await issueToken(inside, 'magic-link', { seconds: 5 * MINUTE_S, ...ownerOf(recipient) })
      const query = next ? `?next=${encodeURIComponent(next)}` : ''
      await queueLinkMail(inside, {
        ...mail,
        lines: [
          ...(recipient.userId ? [] : [unverifiedAccount(words)]),
          recipient.userId
            ? t`Open this link to sign in. It works once, for five minutes:`
            : t`Open this link to sign in to a new account. It works once, for five minutes:`,
          linkTo(ctx, `/sign-in/link${query}`, token),
          ignore(words),
        ],
      })
    })
  }

export const mailPasswordReset =
  (signup: Config['signup']) =>
  async (ctx: JobContext<'mail'>, { id, email, language }: { id: string; email: string } & PageLanguage) => {
    await ctx.transaction(async (inside) => {
      const recipient = await findRecipient(inside, email)
      if (!recipient || !(await isMailAllowed(inside, 'password-reset', email))) return
      const words = speak(mailLanguage(recipient, language))
      const { t } = words
      const mail = { id: `password-reset-${id}`, to: recipient.email, subject: t`Reset your Atrium password` }
      if (!recipient.userId && signup !== 'open') return queueUnverifiedMail(inside, words, mail)
      const token = await issueToken(inside, 'password-reset', { seconds: HOUR_S, ...ownerOf(recipient) })
      await queueLinkMail(inside, {
        ...mail,
        lines: [
          ...(recipient.userId ? [] : [unverifiedAccount(words)]),
          recipient.userId
            ? t`Open this link to set a new password. It works once, for an hour, and signs you out everywhere else:`
            : t`Open this link to create a new account with a password. It works once, for an hour:`,
          linkTo(ctx, '/reset-password', token),
          t`If you did not request this, you can ignore this email. Your password won’t change.`,
        ],
      })
    })
  }

interface Recipient {
  email: string
  /** Null if only unverified accounts name the address: a link to it opens none of them. */
  userId: string | null
  language: Language | null
}

/** Null if no account names the address. */
async function findRecipient(ctx: JobContext, email: string): Promise<Recipient | null> {
  const user = await findVerifiedUser(ctx.sql, email)
  if (user) return user
  return (await hasUnverifiedUser(ctx.sql, email)) ? { email, userId: null, language: null } : null
}

/** Anyone can request a link to an account, so an account’s mail never takes the requesting page’s language. */
const mailLanguage = (recipient: Recipient, pageLanguage: Language | null | undefined) =>
  recipient.userId ? recipient.language : (pageLanguage ?? null)

const ownerOf = ({
  userId,
  email,
}: Recipient): { userId: string | null; data: UnclaimedAddress | object } => ({
  userId,
  data: userId ? {} : { email },
})

const unverifiedAccount = ({ t }: Words) =>
  t`An account uses this email address but hasn’t verified it. If it’s yours, sign in with its password and verify the address under Settings, Profile.`

/** Without open sign-up, an unverified address signs in to nothing. */
function queueUnverifiedMail(ctx: JobContext, words: Words, mail: Omit<LinkMail, 'lines'>) {
  const { t } = words
  return queueLinkMail(ctx, {
    ...mail,
    lines: [
      unverifiedAccount(words),
      t`If you don’t have its password, ask an admin in your organization to invite this email address again.`,
      ignore(words),
    ],
  })
}

/** Stored until the sign-up link is opened. */
export interface PendingSignUp {
  name: string
  email: string
  organizationName: string
}

/** Contains none of the sender's input, since they may enter any recipient. */
export async function mailSignUp(
  ctx: JobContext<'mail'>,
  { id, language, ...account }: PendingSignUp & { id: string } & PageLanguage,
) {
  const { email } = account
  if (!(await isMailAllowed(ctx, 'sign-up', email))) return
  const existing = await findVerifiedUser(ctx.sql, email)
  await ctx.transaction(async (inside) => {
    const words = speak(existing ? existing.language : (language ?? null))
    const { t } = words
    const mail = { id: `sign-up-${id}`, to: existing?.email ?? email }
    if (existing) {
      await queueLinkMail(inside, {
        ...mail,
        subject: t`You already have an Atrium account`,
        lines: [
          t`Someone requested an Atrium account for this email address, but one already exists. Sign in here, with an emailed link if you have no password:`,
          ctx.mail.linkTo('/sign-in'),
          ignore(words),
        ],
      })
      return
    }
    const token = await issueToken(inside, 'sign-up', { seconds: 24 * HOUR_S, data: account })
    await queueLinkMail(inside, {
      ...mail,
      subject: t`Confirm your Atrium account`,
      lines: [
        t`Open this link to create your account. It works once, for a day:`,
        linkTo(ctx, '/sign-up', token),
        t`If you did not request this, you can ignore this email. No account will be created.`,
      ],
    })
  })
}

/** Sends nothing if another account has verified the address: the link couldn't verify it twice. */
export async function mailVerification(
  ctx: JobContext<'mail'>,
  { id, userId }: { id: string; userId: string },
) {
  const current = await findEmail(ctx.sql, userId)
  if (!current || current.isVerified || (await findVerifiedUser(ctx.sql, current.email))) return
  await ctx.transaction(async (inside) => {
    const token = await issueToken(inside, 'email-verification', { seconds: 24 * HOUR_S, userId, data: {} })
    const words = speak(current.language)
    const { t } = words
    await queueLinkMail(inside, {
      id: `email-verification-${id}`,
      to: current.email,
      subject: t`Verify your email address for Atrium`,
      lines: [
        t`Open this link in the browser where you’re signed in to verify that this email address is yours. It works once, for a day:`,
        linkTo(ctx, '/verify-email', token),
        ignore(words),
      ],
    })
  })
}

/** Stored until the link is opened. */
export interface PendingEmailChange {
  email: string
}

/** Sends nothing if another account has verified the address: its owner requested nothing. */
export async function mailEmailChange(
  ctx: JobContext<'mail'>,
  { id, userId, email, language }: PendingEmailChange & { id: string; userId: string } & PageLanguage,
) {
  if ((await findVerifiedUser(ctx.sql, email)) || !(await isMailAllowed(ctx, 'email-change', email))) return
  await ctx.transaction(async (inside) => {
    const data: PendingEmailChange = { email }
    const token = await issueToken(inside, 'email-change', { seconds: HOUR_S, userId, data })
    const account = await findEmail(inside.sql, userId)
    const { t } = speak(account?.language ?? language ?? null)
    await queueLinkMail(inside, {
      id: `email-change-${id}`,
      to: email,
      subject: t`Verify your new email address for Atrium`,
      lines: [
        t`Open this link in the browser where you’re signed in to make this your account’s email address. It works once, for an hour:`,
        linkTo(ctx, '/change-email', token),
        t`If you did not request this, you can ignore this email. Nothing changes.`,
      ],
    })
  })
}

export const isMailAllowed = async (ctx: JobContext, kind: string, email: string) =>
  (await takeToken(ctx.sql, MAILS_PER_RECIPIENT, `${kind} ${sha256(email).toString('base64url')}`, ctx.now()))
    .allowed

/** The token is in the fragment, which browsers don't send and servers don't log. */
const linkTo = (ctx: JobContext<'mail'>, page: string, token: string) => ctx.mail.linkTo(`${page}#${token}`)

interface LinkMail {
  id: string
  to: string
  subject: string
  lines: string[]
}

const queueLinkMail = (ctx: JobContext, { lines, ...mail }: LinkMail) =>
  queueSignInMail(ctx.sql, { ...mail, text: lines.join('\n\n') }, ctx.now())

const changes = ({ t }: Words): Record<NotifiedAction, string> => ({
  'password.changed': t`Your account’s password was changed.`,
  'email.change-requested': t`A change to your account’s email address was requested. This address stays in use until the link sent to the new one is opened.`,
  'email.changed': t`Your account’s email address was changed. You can no longer sign in with this address.`,
  'totp.enabled': t`An authenticator app was added to your account.`,
  'totp.removed': t`Your account’s authenticator app was removed.`,
  'recovery-codes.renewed': t`Your account’s recovery codes were replaced.`,
  'passkey.added': t`A passkey was added to your account.`,
  'passkey.removed': t`A passkey was removed from your account.`,
  'identity.linked': t`An external account was linked to your account and can now sign in to it.`,
  'identity.unlinked': t`An external account was unlinked from your account.`,
  'api-key.created': t`An API key was created for your account.`,
  'app.connected': t`An app was connected to your account. It can act for you over MCP.`,
})

export async function mailNotice(
  ctx: JobContext<'mail'>,
  { id, userId, action, address, at, to }: SignInNotice,
) {
  const account = await findEmail(ctx.sql, userId)
  const recipient = to ?? account?.email
  if (!recipient) return
  const words = speak(account?.language ?? null)
  const { t, day, time } = words
  const text = [
    changes(words)[action],
    t`The request was made on ${day(at)} at ${time(at)} UTC, from the IP address ${address}.`,
    remedy(ctx, words, action),
  ].join('\n\n')
  const subject = t`A change to how you sign in to Atrium`
  await queueMail(ctx.sql, null, { id: `notice-${id}`, to: recipient, subject, text }, ctx.now())
}

/** After an email change, a link sent to the previous address no longer helps. */
const remedy = (ctx: JobContext<'mail'>, { t }: Words, action: NotifiedAction) =>
  action === 'email.changed'
    ? t`If you made this change, no action is needed. If not, contact an organization owner immediately: they can remove the account from the organization.`
    : t`If you made this change, no action is needed. If not, set a new password and end your other sessions: ${ctx.mail.linkTo('/settings/security')}`
