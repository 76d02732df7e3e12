import type { Vault } from '../../../security/vault.ts'

/** Four characters would be a large part of a shorter key. */
const SHOWN_FROM_LENGTH = 16

/** A key as it is stored: encrypted for its row, with the four characters that may be shown. */
export const sealKey = (vault: Vault, providerId: string, key: string | null | undefined) => ({
  keySealed: key ? vault.seal(locationOf(providerId), key) : null,
  lastFour: key && key.length >= SHOWN_FROM_LENGTH ? key.slice(-4) : null,
})

/** Null if it was sealed with another secret of this server: the provider is then called without a key, and responds with an error. */
export const openKey = (vault: Vault, providerId: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(providerId), sealed)

const locationOf = (providerId: string) => `model_providers.key:${providerId}`
