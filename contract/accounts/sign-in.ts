import { z } from 'zod'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { NextPath, text } from '../fields.ts'
import { Email, NewPassword, PersonName, SECOND_FACTOR, Session } from './accounts.ts'

const Token = text(1, 200)
const Sent = z.object({ sent: z.literal(true) })
const mails = (name: string) => ({ name, by: 'ip', capacity: 10, perSeconds: 600 }) as const

export const signIn = {
  secondFactor: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/second-factor',
    summary: 'Finish a sign-in with a second factor',
    description: 'A code of an authenticator app, or one of the recovery codes; each works once.',
    access: anonymous(),
    body: z.object({
      ticket: Token,
      method: z.enum(['totp', 'recovery_code']),
      code: text(6, 40).meta({ examples: ['492039'] }),
    }),
    output: Session,
    limit: attemptsPerIp('second-factor'),
  }),
  sendMagicLink: endpoint({
    method: 'POST',
    path: '/api/v1/auth/magic-link',
    summary: 'Mail a sign-in link',
    description: 'The answer is the same whether or not the address belongs to somebody.',
    access: anonymous(),
    body: z.object({ email: Email, next: NextPath.optional().meta({ examples: ['/feedback'] }) }),
    output: Sent,
    limit: mails('magic-link'),
  }),
  byMagicLink: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/magic-link',
    summary: 'Sign in with a mailed link',
    description: `The token works once, for five minutes. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ token: Token }),
    output: Session,
    limit: attemptsPerIp('sign-in-magic-link'),
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-up',
    summary: 'Create an account with an organization of its own',
    description:
      'Only where `ATRIUM_SIGNUP=open`. The account is made when the mailed link is followed, so that nobody can take somebody else’s address; the answer is the same for a known address.',
    access: anonymous(),
    body: z.object({ name: PersonName, email: Email, organizationName: PersonName }),
    output: Sent,
    limit: mails('sign-up'),
  }),
  confirmSignUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-up/confirm',
    summary: 'Finish a sign-up with the mailed link',
    description: 'The token works once, for a day.',
    access: anonymous(),
    body: z.object({ token: Token, password: NewPassword }),
    output: Session,
    status: 201,
    limit: attemptsPerIp('sign-up-confirm'),
  }),
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password-reset',
    summary: 'Mail a link to set a new password',
    description: 'The answer is the same whether or not the address belongs to somebody.',
    access: anonymous(),
    body: z.object({ email: Email }),
    output: Sent,
    limit: mails('password-reset'),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password-reset/confirm',
    summary: 'Set a new password with a mailed link',
    description: `The token works once, for an hour. Ends every session of the account. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ token: Token, password: NewPassword }),
    output: Session,
    limit: attemptsPerIp('password-reset-confirm'),
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/verify',
    summary: 'Confirm an email address with a mailed link',
    description:
      'For whoever is signed in to the account that the link was mailed for; otherwise FORBIDDEN with `reason: "sign_in_first"`, and the link stays good. It works once, for a day.',
    access: anonymous({ identify: true }),
    body: z.object({ token: Token }),
    output: z.object({ verified: z.literal(true), email: z.string() }),
    limit: attemptsPerIp('email-verify'),
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/change/confirm',
    summary: 'Change your email address with a mailed link',
    description:
      'For whoever is signed in to the account that asked for it; otherwise FORBIDDEN with `reason: "sign_in_first"`, and the link stays good. It works once, for an hour. The new address is confirmed by it; your other sessions, and links mailed to the old address, end. If somebody else has got the address meanwhile, CONFLICT.',
    access: anonymous({ identify: true }),
    body: z.object({ token: Token }),
    output: z.object({ changed: z.literal(true), email: z.string() }),
    limit: attemptsPerIp('email-change-confirm'),
  }),
}
