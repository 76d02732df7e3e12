import type { Vault } from '../../../../security/vault.ts'

export const sealKey = (vault: Vault, orgId: string, key: string): string =>
  vault.seal(locationOf(orgId), key)

/** Null if it was sealed with another secret of this server: no money can move until it is entered again. */
export const openKey = (vault: Vault, orgId: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(orgId), sealed)

const locationOf = (orgId: string) => `payment_providers.key:${orgId}`
