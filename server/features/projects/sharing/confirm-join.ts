import { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { LANGUAGE_CODES, type Language } from '../../../../contract/languages.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import type { JobContext, PublicContext } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { queueSignInMail } from '../../../mail/mail.ts'
import { speak } from '../../../mail/words.ts'
import { consumeToken, issueToken, peekToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { clientNetwork } from '../../../security/client-network.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import {
  createSession,
  findVerifiedUser,
  insertInvitedUser,
  isLinkMailAllowed,
  linkExpired,
} from '../../accounts/accounts/accounts.ts'
import { findInvite, join, needsConfirmation, withProject } from './accept-invite.ts'
import { findOpenInvite } from './invite-queries.ts'

/** Creates nothing yet. Does the same work for every address: the job checks later whether it has an account. */
export async function requestToJoin(
  ctx: PublicContext<'mail' | 'suspensions'>,
  { token, name, email }: InputOf<typeof sharing.requestToJoin>,
) {
  const invite = await findInvite(ctx, token)
  if (!needsConfirmation(ctx, invite)) {
    throw conflict('This invitation needs no email confirmation: accept it')
  }
  await ctx.enqueue(sendJoinLink, {
    ...{ id: newId(), orgId: invite.orgId, inviteId: invite.id, name, email },
    language: ctx.origin.language,
  })
  return { sent: true as const }
}

export async function confirmJoin(
  ctx: PublicContext<'mail' | 'suspensions' | 'vault'>,
  { token, password }: InputOf<typeof sharing.confirmJoin>,
) {
  if (!(await peekToken(ctx, 'join', token))) throw linkExpired()
  const passwordHash = await hashPassword(password, { lane: 'known', key: clientNetwork(ctx.origin.ip) })
  return ctx.transaction(async (inside) => {
    const { data } = (await consumeToken<PendingJoin>(inside, 'join', token)) ?? raise(linkExpired())
    const { orgId, inviteId, name, email } = data
    ctx.suspensions.requireOpenToGuests(orgId)
    const invite =
      (await findOpenInvite(inside.sql, orgId, inviteId, ctx.now())) ?? raise(notFound('Invitation'))
    const user = { id: newId(), email, name, passwordHash, isVerified: true, now: ctx.now() }
    if (!(await insertInvitedUser(inside.sql, user))) {
      throw conflict(`${email} already has an account: sign in, then open the invitation link again`)
    }
    await join(inside, invite, user.id)
    const workspace = { orgId, workspaceId: invite.workspaceId }
    return withProject(await createSession(inside, user.id, 'invite', { workspace }), invite)
  })
}

const LINK_SECONDS = 86_400

/** Stored until the link that proves the email address is opened. */
interface PendingJoin {
  orgId: string
  inviteId: string
  name: string
  email: string
}

/** Contains no input from the sender, who may enter any recipient. */
async function mailJoinLink(
  ctx: JobContext<'mail'>,
  { id, language, ...pending }: PendingJoin & { id: string; language?: Language | null },
) {
  const { orgId, inviteId, email } = pending
  await ctx.transaction(async (inside) => {
    if (!(await findOpenInvite(inside.sql, orgId, inviteId, ctx.now()))) return
    if (!(await isLinkMailAllowed(inside, 'join', email))) return
    const existing = await findVerifiedUser(inside.sql, email)
    const { t } = speak(existing ? existing.language : (language ?? null))
    const lines = existing
      ? [
          t`You already have an Atrium account with this email address. To accept the invitation, sign in here, then open the invitation link again:`,
          ctx.mail.linkTo('/sign-in'),
        ]
      : [
          t`Open this link to confirm your email address and accept the invitation. It works once, for a day:`,
          ctx.mail.linkTo(
            `/join/confirm#${await issueToken(inside, 'join', { seconds: LINK_SECONDS, data: pending })}`,
          ),
        ]
    const mail = {
      id: `join-${id}`,
      to: existing?.email ?? email,
      subject: t`Confirm your email address for Atrium`,
      text: [
        ...lines,
        t`If you did not request this, you can ignore this email. No account will be created.`,
      ].join('\n\n'),
    }
    await queueSignInMail(inside.sql, mail, ctx.now())
  })
}

const sendJoinLink = job(
  'sharing.join-link',
  z.object({
    id: z.uuid(),
    orgId: z.uuid(),
    inviteId: z.uuid(),
    name: z.string(),
    email: z.string(),
    /** Of the page that requested the mail. */
    language: z.enum(LANGUAGE_CODES).nullish(),
  }),
  { lane: 'sign-in' },
)

export const sharingJobs = [onJob(sendJoinLink, mailJoinLink)]
