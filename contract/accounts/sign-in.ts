import { z } from 'zod'
import { anonymous, attemptsPerIp, endpoint } from '../endpoint.ts'
import { NextPath, text } from '../fields.ts'
import { Email, NewPassword, PersonName, SECOND_FACTOR, SENT, Session } from './accounts.ts'

const Token = text(1, 200)
const Sent = z.object({ sent: SENT })
const emailsPerIp = (name: string) => ({ name, by: 'ip', capacity: 10, perSeconds: 600 }) as const

export const signIn = {
  secondFactor: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/second-factor',
    summary: 'Complete a sign-in with a second factor',
    description: 'Takes a code from the authenticator app or a recovery code. Each code works once.',
    access: anonymous(),
    body: z.object({
      ticket: Token.describe('One-time token from the pending sign-in'),
      method: z.enum(['totp', 'recovery_code']),
      code: text(6, 40).meta({ examples: ['492039'] }),
    }),
    failures: ['UNAUTHORIZED'],
    output: Session,
    limit: attemptsPerIp('second-factor'),
  }),
  sendMagicLink: endpoint({
    method: 'POST',
    path: '/api/v1/auth/magic-link',
    summary: 'Send a magic link',
    description: 'The response does not reveal whether an account exists.',
    access: anonymous(),
    body: z.object({ email: Email, next: NextPath.optional().meta({ examples: ['/feedback'] }) }),
    output: Sent,
    limit: emailsPerIp('magic-link'),
  }),
  byMagicLink: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/magic-link',
    summary: 'Sign in with a magic link',
    description: `The token can be used once and expires after five minutes. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ token: Token }),
    output: Session,
    limit: attemptsPerIp('sign-in-magic-link'),
  }),
  signUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-up',
    summary: 'Sign up',
    description:
      'Creates an account with its own organization, if the server is configured with `ATRIUM_SIGNUP=open`. The account is created when the user opens the emailed link, which proves ownership of the email address. The response does not reveal whether an account exists.',
    access: anonymous(),
    body: z.object({ name: PersonName, email: Email, organizationName: PersonName }),
    output: Sent,
    limit: emailsPerIp('sign-up'),
  }),
  confirmSignUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-up/confirm',
    summary: 'Confirm a sign-up',
    description: 'The token can be used once and expires after one day.',
    access: anonymous(),
    failures: ['UNAUTHORIZED', 'CONFLICT'],
    body: z.object({ token: Token, password: NewPassword }),
    output: Session,
    status: 201,
    limit: attemptsPerIp('sign-up-confirm'),
  }),
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password-reset',
    summary: 'Request a password reset',
    description: 'The response does not reveal whether an account exists.',
    access: anonymous(),
    body: z.object({ email: Email }),
    output: Sent,
    limit: emailsPerIp('password-reset'),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/v1/auth/password-reset/confirm',
    summary: 'Reset a password',
    description: `The token can be used once and expires after one hour. Ends all of the account’s sessions. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ token: Token, password: NewPassword }),
    output: Session,
    limit: attemptsPerIp('password-reset-confirm'),
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/verify',
    summary: 'Verify an email address',
    description:
      'Requires a session for the account the link was sent to; otherwise returns FORBIDDEN with `reason: "sign_in_first"`, and the link stays valid. The token can be used once and expires after one day.',
    access: anonymous({ identify: true }),
    whileSuspended: true,
    body: z.object({ token: Token }),
    failures: ['UNAUTHORIZED', 'CONFLICT'],
    output: z.object({ verified: z.literal(true), email: z.string() }),
    limit: attemptsPerIp('email-verify'),
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/change/confirm',
    summary: 'Confirm an email address change',
    description:
      'Requires a session for the account that requested the change; otherwise returns FORBIDDEN with `reason: "sign_in_first"`, and the link stays valid. The token can be used once and expires after one hour. Verifies the new email address, ends your other sessions and invalidates links sent to the old one. Returns CONFLICT if the email address is already in use.',
    access: anonymous({ identify: true }),
    whileSuspended: true,
    body: z.object({ token: Token }),
    failures: ['UNAUTHORIZED'],
    output: z.object({ changed: z.literal(true), email: z.string() }),
    limit: attemptsPerIp('email-change-confirm'),
  }),
}
