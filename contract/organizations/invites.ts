import { z } from 'zod'
import { Password, PersonName, Session } from '../accounts/accounts.ts'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { Id, text } from '../fields.ts'

const Token = text(1, 200)

/** The invited person's side. */
export const invites = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/auth/invite',
    summary: 'Read an invitation',
    access: anonymous(),
    query: z.object({ token: Token }),
    output: z.object({
      organization: z.object({ id: Id, name: z.string() }),
      email: z.string(),
      role: z.enum(['admin', 'member']),
      invitedBy: z.string(),
      hasAccount: z.boolean().describe('Whether this address can already sign in here'),
    }),
    limit: attemptsPerIp('invite-read'),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/v1/auth/invite/accept',
    summary: 'Accept an invitation',
    description:
      'Creates the account if the address has none (then `name` and `password` are required), joins the organization and signs in. An existing account proves itself by its password, or by being signed in. Works once. If the account has a second factor, nothing is joined yet: the answer is UNAUTHORIZED with `details: { reason: "second_factor_required", ticket, methods }`; finish that sign-in, then accept again.',
    access: anonymous({ identify: true }),
    body: z.object({ token: Token, name: PersonName.optional(), password: Password.optional() }),
    output: Session,
    status: 201,
    limit: attemptsPerIp('invite-accept'),
  }),
}
