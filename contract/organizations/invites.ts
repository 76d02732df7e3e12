import { z } from 'zod'
import { Password, PersonName, Session } from '../accounts/accounts.ts'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { Id, text } from '../fields.ts'

const Token = text(1, 200)

export const invites = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/auth/invite',
    summary: 'Get an invitation',
    access: anonymous(),
    query: z.object({ token: Token }),
    failures: ['NOT_FOUND', 'FORBIDDEN'],
    output: z.object({
      organization: z.object({ id: Id, name: z.string() }),
      email: z.string(),
      role: z.enum(['admin', 'member']),
      invitedBy: z.string(),
      hasAccount: z.boolean().describe('Whether the email address has an account'),
    }),
    limit: attemptsPerIp('invite-read'),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/v1/auth/invite/accept',
    summary: 'Accept an invitation',
    description:
      'Joins the organization and signs in. Creates an account if the email address has none; `name` and `password` are then required. An existing account requires its password or a session. Each invitation can be used once. If the account has a second factor, returns UNAUTHORIZED with `details: { reason: "second_factor_required", ticket, methods }` and joins nothing: complete that sign-in, then accept again.',
    access: anonymous({ identify: true }),
    whileSuspended: true,
    body: z.object({ token: Token, name: PersonName.optional(), password: Password.optional() }),
    failures: ['NOT_FOUND', 'CONFLICT'],
    output: Session,
    status: 201,
    limit: attemptsPerIp('invite-accept'),
  }),
}
