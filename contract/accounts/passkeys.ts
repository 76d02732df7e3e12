import { z } from 'zod'
import { anonymous, attemptsPerIp, browser, endpoint, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { Session } from './accounts.ts'
import { PasskeyChallenge, PasskeyResponse } from './webauthn.ts'

const AREA = 'Account security'
const byId = z.object({ id: Id })
const challenges = { name: 'passkey-options', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  synced: z
    .boolean()
    .describe('Whether the authenticator keeps a copy elsewhere, such as in a password manager'),
  lastUsedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

export const passkeys = {
  signInOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/passkey/options',
    summary: 'Begin a sign-in with a passkey',
    access: anonymous(),
    output: PasskeyChallenge,
    limit: attemptsPerIp('sign-in-passkey-options'),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/passkey',
    summary: 'Sign in with a passkey',
    description:
      'A passkey is two factors in one, so no second one is asked for. Opens the step-up window. An answer that does not hold is UNAUTHORIZED.',
    access: anonymous(),
    body: PasskeyResponse,
    output: Session,
    limit: attemptsPerIp('sign-in-passkey'),
  }),
  stepUpOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/step-up/passkey/options',
    summary: 'Begin to confirm who you are with a passkey',
    description: 'CONFLICT if you have none.',
    access: browser('Step-up'),
    output: PasskeyChallenge,
    limit: challenges,
  }),
  registrationOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkeys/options',
    summary: 'Begin to add a passkey',
    access: steppedUp(AREA),
    output: PasskeyChallenge,
    limit: challenges,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkeys',
    summary: 'Add a passkey',
    description: 'CONFLICT if this authenticator holds one already, or if you have 25.',
    access: steppedUp(AREA),
    body: PasskeyResponse.extend({ name: text(1, 60) }),
    output: Passkey,
    status: 201,
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/v1/auth/passkeys/:id',
    summary: 'Rename a passkey',
    access: browser(AREA),
    params: byId,
    body: z.object({ name: text(1, 60) }),
    output: Passkey,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/passkeys/:id',
    summary: 'Remove a passkey',
    description:
      'CONFLICT if it is the only way left to sign in: no password, no other passkey, no linked provider, and an address that was never confirmed, so that a mailed link may reach nobody.',
    access: steppedUp(AREA),
    params: byId,
    output: z.object({ removed: z.literal(true) }),
  }),
}
