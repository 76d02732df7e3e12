import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { anonymous, attemptsPerIp, browser, endpoint, steppedUp } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'
import { Session } from './accounts.ts'
import { PasskeyChallenge, PasskeyResponse } from './webauthn.ts'

const AREA = 'Account security'
const byId = z.object({ id: Id })
const challengesPerCaller = { name: 'passkey-options', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  synced: z.boolean().describe('Whether the passkey is synced, for example by a password manager'),
  lastUsedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

export const passkeys = {
  signInOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/passkey/options',
    summary: 'Create a passkey sign-in challenge',
    access: anonymous(),
    output: PasskeyChallenge,
    limit: attemptsPerIp('sign-in-passkey-options'),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/v1/auth/sign-in/passkey',
    summary: 'Sign in with a passkey',
    description:
      'A passkey counts as two factors, so no second factor is required. Opens the step-up window. Returns UNAUTHORIZED if the authenticator’s response is invalid.',
    access: anonymous(),
    body: PasskeyResponse,
    output: Session,
    limit: attemptsPerIp('sign-in-passkey'),
  }),
  stepUpOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/step-up/passkey/options',
    summary: 'Create a passkey step-up challenge',
    description: 'Returns CONFLICT if you have no passkey.',
    access: browser('Step-up'),
    whileSuspended: true,
    output: PasskeyChallenge,
    limit: challengesPerCaller,
  }),
  registrationOptions: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkeys/options',
    summary: 'Create a passkey registration challenge',
    access: steppedUp(AREA),
    whileSuspended: true,
    output: PasskeyChallenge,
    limit: challengesPerCaller,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/v1/auth/passkeys',
    summary: 'Add a passkey',
    description: 'Returns CONFLICT if the authenticator is already registered or you have 25 passkeys.',
    access: steppedUp(AREA),
    whileSuspended: true,
    body: PasskeyResponse.extend({ name: displayName(1, 60) }),
    output: Passkey,
    status: 201,
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/v1/auth/passkeys/:id',
    summary: 'Rename a passkey',
    access: browser(AREA),
    whileSuspended: true,
    params: byId,
    body: z.object({ name: displayName(1, 60) }),
    output: Passkey,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/auth/passkeys/:id',
    summary: 'Delete a passkey',
    description:
      'Returns CONFLICT if it is your last sign-in method: you have no password, no other passkey, no linked provider and no verified email address.',
    access: steppedUp(AREA),
    whileSuspended: true,
    params: byId,
    output: z.object({ removed: z.literal(true) }),
  }),
}
