import { sha256 } from '../../security/digest.ts'
import { randomBase64 } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'
import type { Secret } from '../../signatures/scheme.ts'

export const makeSecret = (): string => `whsec_${randomBase64(32)}`

/** Encrypted for signing, hashed for comparison. */
export const sealSecret = (vault: Vault, webhookId: string, secret: string) => ({
  sealed: vault.seal(locationOf(webhookId), secret),
  hash: sha256(secret),
})

const openSecret = (vault: Vault, webhookId: string, sealed: string): string =>
  vault.open(locationOf(webhookId), sealed)

const locationOf = (webhookId: string) => `webhooks.secret:${webhookId}`

export interface SealedSecrets {
  id: string
  secretSealed: string
  previousSecretSealed: string | null
  previousSecretUntil: string | null
}

/** Current first, then the previous during a grace period. */
export function openValidSecrets(vault: Vault, stored: SealedSecrets, now: Date): string[] {
  const { id, secretSealed, previousSecretSealed: previous } = stored
  return (isGracePeriod(stored, now) ? [secretSealed, previous!] : [secretSealed]).map((sealed) =>
    openSecret(vault, id, sealed),
  )
}

export function openHashedSecrets(
  vault: Vault,
  stored: SealedSecrets & { secretHash: Uint8Array; previousSecretHash: Uint8Array | null },
  now: Date,
): Secret[] {
  const hashes = [stored.secretHash, stored.previousSecretHash!]
  return openValidSecrets(vault, stored, now).map((text, index) => ({ text, hash: hashes[index]! }))
}

export const isGracePeriod = (
  { previousSecretSealed: previous, previousSecretUntil: until }: SealedSecrets,
  now: Date,
): boolean => previous !== null && until !== null && Date.parse(until) > now.getTime()
