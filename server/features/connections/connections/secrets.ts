import type { Vault } from '../../../security/vault.ts'

/** The secrets that authorize requests with a connection. */
export interface Secrets {
  /** The entered credentials, or `accessToken`. */
  credentials: Record<string, string>
  /** Null if the provider issued none, and for credentials. */
  refreshToken: string | null
}

const locationOf = (connectionId: string) => `connection_secrets:${connectionId}`

export const sealSecrets = (vault: Vault, connectionId: string, secrets: Secrets): string =>
  vault.seal(locationOf(connectionId), JSON.stringify(secrets))

/** Null if there are none, or if they were sealed with another secret of this server. */
export function openSecrets(vault: Vault, connectionId: string, sealed: string | null): Secrets | null {
  const text = sealed && vault.tryOpen(locationOf(connectionId), sealed)
  return text ? JSON.parse(text) : null
}
