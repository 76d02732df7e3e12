import type { JobContext } from '../../../context.ts'
import { queueSignInMail } from '../../../mail/mail.ts'
import { issueToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { findVerifiedUser, isLinkMailAllowed } from '../../accounts/accounts/accounts.ts'
import { findOpenInvite } from './invite-queries.ts'

const LINK_SECONDS = 86_400

/** Stored until the link that proves the email address is opened. */
export interface PendingJoin {
  orgId: string
  inviteId: string
  name: string
  email: string
}

/** The mail contains no input of the sender, who may enter any recipient. */
export async function mailJoinLink(ctx: JobContext, { id, ...pending }: PendingJoin & { id: string }) {
  const { orgId, inviteId, email } = pending
  await ctx.transaction(async (inside) => {
    if (!(await findOpenInvite(inside.sql, orgId, inviteId, ctx.now()))) return
    if (!(await isLinkMailAllowed(inside, 'join', email))) return
    const existing = await findVerifiedUser(inside.sql, email)
    const lines = existing
      ? [
          'You already have an Atrium account with this email address. To accept the invitation, sign in here, then open the invitation link again:',
          ctx.mail.linkTo('/sign-in'),
        ]
      : [
          'Open this link to confirm your email address and accept the invitation. It works once, for a day:',
          ctx.mail.linkTo(
            `/join/confirm#${await issueToken(inside, 'join', { seconds: LINK_SECONDS, data: pending })}`,
          ),
        ]
    const mail = {
      id: `join-${id}`,
      to: existing?.email ?? email,
      subject: 'Confirm your email address for Atrium',
      text: [...lines, 'If you did not request this, you can ignore this email. No account is created.'].join(
        '\n\n',
      ),
    }
    await queueSignInMail(inside.sql, mail, ctx.now())
  })
}
