import type { Vault } from '../../../security/vault.ts'

export const sealKey = (vault: Vault, orgId: string, key: string): string => vault.seal(contextOf(orgId), key)

/** Null if it was sealed with another secret of this server: no money can move until it is entered again. */
export function openKey(vault: Vault, orgId: string, sealed: string): string | null {
  try {
    return vault.open(contextOf(orgId), sealed)
  } catch {
    return null
  }
}

const contextOf = (orgId: string) => `payment_providers.key:${orgId}`
