import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { anonymous, browser, endpoint } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { LANGUAGE_CODES } from '../languages.ts'
import { PasskeyResponse } from './webauthn.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

const Role = z.enum(ROLES)
export const Email = text(1, 254).toLowerCase().pipe(z.email('must be an email address'))
/** Also for organizations and workspaces. */
export const PersonName = displayName(1, 120)
/** Length is the only requirement: composition rules lead to weaker passwords (NIST SP 800-63B). */
export const NewPassword = text(12, 200, { trim: false })
export const Password = text(1, 200, { trim: false })
export const MailLanguage = z
  .enum(LANGUAGE_CODES)
  .nullable()
  .describe('The language of emails to you. Null means unknown: emails are then in English')
const IdAndName = z.object({ id: Id, name: z.string() })

export const STEP_UP_METHODS = ['password', 'totp', 'passkey'] as const
export type StepUpMethod = (typeof STEP_UP_METHODS)[number]

export const Session = z.object({
  user: z.object({
    id: Id,
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    operator: z.boolean(),
    language: MailLanguage,
    settings: z.object({ defaultProjectVisibility: z.enum(['team', 'private']) }),
  }),
  organization: IdAndName,
  workspace: IdAndName.nullable(),
  role: Role,
  organizations: z.array(IdAndName.extend({ role: Role })),
  suspension: z
    .object({
      reason: z.string(),
      since: Timestamp,
      eraseAfter: Timestamp.nullable().describe(
        'When the organization will be erased; null if no erasure is scheduled',
      ),
    })
    .nullable()
    .describe('Set while the organization is suspended and its calls are refused'),
  stepUp: z.object({
    active: z.boolean(),
    until: Timestamp.nullable(),
    methods: z.array(z.enum(STEP_UP_METHODS)),
  }),
})

const StepUpProof = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('password'), password: Password }),
  z.strictObject({ method: z.literal('totp'), code: text(6, 6) }),
  PasskeyResponse.extend({ method: z.literal('passkey') }).strict(),
])

/** The same for every address. */
export const SENT = z
  .boolean()
  .describe(
    'False if the server cannot send email. The message then goes to its outbox, which only the operator can read',
  )

export const SECOND_FACTOR =
  'If the account has a second factor, returns UNAUTHORIZED with `details: { reason: "second_factor_required", ticket, methods }`; pass the one-time token `ticket` to `/auth/sign-in/second-factor`.'

export const accounts = {
  setupState: endpoint({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Get setup status',
    access: anonymous(),
    output: z.object({ needed: z.boolean() }),
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Create the first owner',
    description:
      'Also creates the first organization and workspace. Requires the one-time token from the setup link that the server prints at start. Returns FORBIDDEN if the token is invalid and CONFLICT if an owner exists.',
    access: anonymous(),
    body: z.object({
      token: text(1, 200),
      name: PersonName,
      email: Email,
      password: NewPassword,
      organizationName: PersonName,
      workspaceName: PersonName.default('General'),
    }),
    output: Session,
    status: 201,
    limit: { name: 'setup', by: 'ip', capacity: 10, perSeconds: 60 },
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/email',
    summary: 'Sign in with email and password',
    description: `Sets the session cookie and opens the step-up window. Returns UNAUTHORIZED for a wrong email address or password and RATE_LIMITED after too many attempts. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ email: Email, password: Password }),
    output: Session,
    limit: { name: 'sign-in', by: 'ip', capacity: 30, perSeconds: 60 },
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-out',
    summary: 'Sign out',
    access: browser('Signing out'),
    whileSuspended: true,
    output: z.object({ signedOut: z.literal(true) }),
  }),
  session: endpoint({
    method: 'GET',
    path: '/api/v1/auth/session',
    summary: 'Get the current session',
    access: browser('Reading the session'),
    whileSuspended: true,
    output: Session,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/step-up',
    summary: 'Step up',
    description:
      'Confirms your identity and opens the step-up window for 600 seconds. Returns RATE_LIMITED after five failed attempts in five minutes.',
    access: browser('Step-up'),
    whileSuspended: true,
    body: StepUpProof,
    output: z.object({ until: Timestamp }),
  }),
}
