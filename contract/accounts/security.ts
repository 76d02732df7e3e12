import { z } from 'zod'
import { browser, endpoint, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { Email, MailLanguage, NewPassword, PersonName, SENT } from './accounts.ts'
import { Passkey } from './passkeys.ts'

const AREA = 'Account security'
const byId = z.object({ id: Id })

const SignedInDevice = z.object({
  id: Id,
  current: z.boolean(),
  address: z.string(),
  userAgent: z.string().nullable(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})

const RecoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .describe('Each code works once. Only this response contains them')
    .meta({ examples: [['k4m7t-9wq2x', 'b8hdn-3pzfc']] }),
})

export const security = {
  overview: endpoint({
    method: 'GET',
    path: '/api/v1/auth/security',
    summary: 'Get security settings',
    access: browser(AREA),
    whileSuspended: true,
    output: z.object({
      email: z.string(),
      emailVerified: z.boolean(),
      hasPassword: z.boolean(),
      totp: z.boolean(),
      recoveryCodesLeft: z.int(),
      passkeys: z.array(Passkey),
      identities: z.array(
        z.object({ id: Id, provider: z.string(), email: z.string().nullable(), createdAt: Timestamp }),
      ),
      sessions: z.array(SignedInDevice),
    }),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/v1/auth/password',
    summary: 'Set your password',
    description: 'Ends your other sessions.',
    access: steppedUp(AREA),
    whileSuspended: true,
    body: z.object({ password: NewPassword }),
    output: z.object({ changed: z.literal(true) }),
    failures: ['RATE_LIMITED'],
  }),
  sendVerification: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/verification',
    summary: 'Send an email verification link',
    access: browser(AREA),
    whileSuspended: true,
    failures: ['CONFLICT'],
    output: z.object({ sent: SENT }),
    limit: { name: 'email-verification', by: 'caller', capacity: 3, perSeconds: 600 },
  }),
  requestEmailChange: endpoint({
    method: 'POST',
    path: '/api/v1/auth/email/change',
    summary: 'Request an email address change',
    description:
      'Sends a link to the new email address and a notice to the current one. The current one stays in use until you open the link. The response does not reveal whether the new one is already in use; if it is, no link is sent. A new request invalidates earlier links.',
    access: steppedUp(AREA),
    whileSuspended: true,
    body: z.object({ email: Email }),
    output: z.object({ sent: SENT }),
    limit: { name: 'email-change', by: 'caller', capacity: 5, perSeconds: 600 },
  }),
  beginTotp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/totp',
    summary: 'Start authenticator app enrollment',
    description: 'Enrollment takes effect when you confirm it with a first code.',
    access: steppedUp(AREA),
    whileSuspended: true,
    failures: ['CONFLICT'],
    output: z.object({
      secret: z.string().meta({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
      uri: z
        .string()
        .describe('QR code content')
        .meta({
          examples: [
            'otpauth://totp/Atrium:ada%40example.com?issuer=Atrium&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
          ],
        }),
    }),
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/totp/confirm',
    summary: 'Confirm authenticator app enrollment',
    access: steppedUp(AREA),
    whileSuspended: true,
    body: z.object({ code: text(6, 6).meta({ examples: ['492039'] }) }),
    failures: ['CONFLICT'],
    output: RecoveryCodes,
  }),
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/totp',
    summary: 'Delete the authenticator app and recovery codes',
    access: steppedUp(AREA),
    whileSuspended: true,
    failures: ['NOT_FOUND'],
    output: z.object({ removed: z.literal(true) }),
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/v1/auth/recovery-codes',
    summary: 'Regenerate recovery codes',
    access: steppedUp(AREA),
    whileSuspended: true,
    failures: ['CONFLICT'],
    output: RecoveryCodes,
  }),
  unlinkIdentity: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/identities/:id',
    summary: 'Unlink an OAuth account',
    description:
      'Returns CONFLICT if it is your last sign-in method: a password, a passkey, another linked account or a verified email address must remain. Signing in through the provider with your verified email address links the account again.',
    access: steppedUp(AREA),
    whileSuspended: true,
    params: byId,
    output: z.object({ unlinked: z.literal(true) }),
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/sessions/:id',
    summary: 'Revoke a session',
    access: browser(AREA),
    whileSuspended: true,
    params: byId,
    output: z.object({ ended: z.literal(true) }),
  }),
  endOtherSessions: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/sessions',
    summary: 'Revoke all other sessions',
    access: browser(AREA),
    whileSuspended: true,
    output: z.object({ ended: z.int() }),
  }),
  updateProfile: endpoint({
    method: 'PATCH',
    path: '/api/v1/auth/profile',
    summary: 'Update your profile',
    description:
      'Sign-in sets `language` to your browser’s if it is null, and so does setting it to null here. It stays null if the request names no language that Atrium has.',
    access: browser('The profile'),
    whileSuspended: true,
    body: z
      .object({
        name: PersonName.optional(),
        defaultProjectVisibility: z.enum(['team', 'private']).optional(),
        language: MailLanguage.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'must have a field to change'),
    output: z.object({
      id: Id,
      name: z.string(),
      email: z.string(),
      language: MailLanguage,
      settings: z.object({ defaultProjectVisibility: z.enum(['team', 'private']) }),
    }),
  }),
  switch: endpoint({
    method: 'POST',
    path: '/api/v1/auth/session/switch',
    summary: 'Switch the active organization or workspace',
    access: browser('Reading the session'),
    whileSuspended: true,
    body: z.object({ organizationId: Id, workspaceId: Id.optional() }),
    output: z.object({ organizationId: Id, workspaceId: Id.nullable() }),
  }),
}
