import { z } from 'zod'
import { text } from '../fields.ts'

export const PasskeyChallenge = z.object({
  ticket: z
    .string()
    .describe('One-time token to return with the authenticator’s response, valid for five minutes'),
  options: z
    .record(z.string(), z.unknown())
    .describe('Options for `navigator.credentials`, as WebAuthn JSON'),
})

/** Credential ids have at most 1,023 bytes. */
const CredentialId = z.string().regex(/^[\w-]{1,1364}$/, 'must be base64url')

/** The WebAuthn library validates the credential, so the schema checks only its outline. */
export const PasskeyResponse = z.object({
  ticket: text(1, 200).describe('One-time token from the challenge'),
  credential: z
    .looseObject({ id: CredentialId, rawId: CredentialId, type: z.literal('public-key') })
    .describe('Response from `navigator.credentials`, as WebAuthn JSON')
    .meta({ examples: [{ id: 'q7Zt0mXv3Kc9', rawId: 'q7Zt0mXv3Kc9', type: 'public-key', response: {} }] }),
})
