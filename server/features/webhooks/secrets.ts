import { sha256 } from '../../security/digest.ts'
import { randomBase64 } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'

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
  const { id, secretSealed, previousSecretSealed: previous, previousSecretUntil: until } = kept
  const isGrace = previous !== null && until !== null && Date.parse(until) > now.getTime()
  return (isGrace ? [secretSealed, previous] : [secretSealed]).map((sealed) => reveal(vault, id, sealed))
}
