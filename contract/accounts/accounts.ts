import { z } from 'zod'
import { anonymous, browser, endpoint } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { PasskeyResponse } from './webauthn.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

const Role = z.enum(ROLES)
export const Email = text(1, 254).toLowerCase().pipe(z.email('must be an email address'))
export const PersonName = text(1, 120)
/** Long enough to resist guessing; no other rule, as such rules make passwords worse. */
export const NewPassword = text(12, 200, { trim: false })
export const Password = text(1, 200, { trim: false })
const Named = z.object({ id: Id, name: z.string() })

export const STEP_UP_METHODS = ['password', 'totp', 'passkey'] as const
export type StepUpMethod = (typeof STEP_UP_METHODS)[number]

export const Session = z.object({
  user: z.object({
    id: Id,
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    operator: z.boolean(),
    settings: z.object({ defaultProjectVisibility: z.enum(['team', 'private']) }),
  }),
  organization: Named,
  workspace: Named.nullable(),
  role: Role,
  organizations: z.array(Named.extend({ role: Role })),
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

export const SECOND_FACTOR =
  'If a second factor is enrolled, the answer is UNAUTHORIZED with `details: { reason: "second_factor_required", ticket, methods }`; the ticket goes to `/auth/sign-in/second-factor`.'

export const accounts = {
  setupState: endpoint({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Tell whether the first owner is still to be created',
    access: anonymous(),
    output: z.object({ needed: z.boolean() }),
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Create the first owner, organization and workspace',
    description:
      'Takes the one-time token of the setup link that the server prints when it starts. A token that is not valid any more is FORBIDDEN; if an owner exists, CONFLICT.',
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
    description: `Sets the session cookie and opens the step-up window. A wrong address or password is UNAUTHORIZED; too many tries are RATE_LIMITED. ${SECOND_FACTOR}`,
    access: anonymous(),
    body: z.object({ email: Email, password: Password }),
    output: Session,
    limit: { name: 'sign-in', by: 'ip', capacity: 30, perSeconds: 60 },
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-out',
    summary: 'End the current session',
    access: browser('Signing out'),
    output: z.object({ signedOut: z.literal(true) }),
  }),
  session: endpoint({
    method: 'GET',
    path: '/api/v1/auth/session',
    summary: 'Read the current session',
    access: browser('The session'),
    output: Session,
  }),
  stepUp: endpoint({
    method: 'POST',
    path: '/api/v1/auth/step-up',
    summary: 'Confirm who you are again',
    description:
      'Opens the step-up window for 600 seconds. Five wrong tries in five minutes are RATE_LIMITED.',
    access: browser('Step-up'),
    body: StepUpProof,
    output: z.object({ until: Timestamp }),
  }),
}
