import { sha256 } from '../../security/digest.ts'
import { randomBase64 } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'
import type { Secret } from '../../signatures/verify.ts'

/** What is signed with; shown once. */
export const makeSecret = (): string => `whsec_${randomBase64(32)}`

/** A secret as it is kept: encrypted for its row, to sign with; hashed, to recognise one that is shown. */
export const keep = (vault: Vault, webhookId: string, secret: string) => ({
  sealed: vault.seal(placeOf(webhookId), secret),
  hash: sha256(secret),
})

export const reveal = (vault: Vault, webhookId: string, sealed: string): string =>
  vault.open(placeOf(webhookId), sealed)

const placeOf = (webhookId: string) => `webhooks.secret:${webhookId}`

export interface KeptSecrets {
  id: string
  secretSealed: string
  previousSecretSealed: string | null
  previousSecretUntil: string | null
}

/** Those that hold now: the current one first, and during a grace period the one before. */
export function secretsOf(vault: Vault, kept: KeptSecrets, now: Date): string[] {
  const { id, secretSealed, previousSecretSealed: previous } = kept
  return (isGrace(kept, now) ? [secretSealed, previous!] : [secretSealed]).map((sealed) =>
    reveal(vault, id, sealed),
  )
}

/** The same with their hashes as they are kept, to compare with what a sender shows. */
export function knownSecretsOf(
  vault: Vault,
  kept: KeptSecrets & { secretHash: Uint8Array; previousSecretHash: Uint8Array | null },
  now: Date,
): Secret[] {
  const hashes = [kept.secretHash, kept.previousSecretHash!]
  return secretsOf(vault, kept, now).map((text, index) => ({ text, hash: hashes[index]! }))
}

const isGrace = (
  { previousSecretSealed: previous, previousSecretUntil: until }: KeptSecrets,
  now: Date,
): boolean => previous !== null && until !== null && Date.parse(until) > now.getTime()
