import { z } from 'zod'
import { browser, endpoint, open } from './endpoint.ts'
import { Id, Timestamp, text } from './fields.ts'

export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

const Role = z.enum(ROLES)
const Email = text(1, 254).toLowerCase().pipe(z.email('must be an email address'))
const Name = text(1, 120)
/** Long enough to resist guessing; no other rule, as such rules make passwords worse. */
const NewPassword = text(12, 200, { trim: false })
const Password = text(1, 200, { trim: false })
const Named = z.object({ id: Id, name: z.string() })

const STEP_UP_METHODS = ['password', 'totp', 'passkey'] as const

export const Session = z.object({
  user: z.object({ id: Id, name: z.string(), email: z.string(), operator: z.boolean() }),
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

export const accounts = {
  setupState: endpoint({
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Tell whether the first owner is still to be created',
    access: open(),
    output: z.object({ needed: z.boolean() }),
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Create the first owner, organization and workspace',
    description:
      'Takes the one-time token of the setup link that the server prints when it starts. A token that is not valid any more is FORBIDDEN; if an owner exists, CONFLICT.',
    access: open(),
    body: z.object({
      token: text(1, 200),
      name: Name,
      email: Email,
      password: NewPassword,
      organizationName: Name,
      workspaceName: Name.default('General'),
    }),
    output: Session,
    status: 201,
    limit: { name: 'setup', by: 'address', capacity: 10, perSeconds: 60 },
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/email',
    summary: 'Sign in with email and password',
    description:
      'Sets the session cookie and opens the step-up window. A wrong address or password is UNAUTHORIZED; too many tries are RATE_LIMITED.',
    access: open(),
    body: z.object({ email: Email, password: Password }),
    output: Session,
    limit: { name: 'sign-in', by: 'address', capacity: 30, perSeconds: 60 },
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
    body: z.object({ method: z.literal('password'), password: Password }),
    output: z.object({ until: Timestamp }),
  }),
}
