import { sha256 } from '../../security/digest.ts'
import { randomBase64 } from '../../security/random.ts'
import { UnsealError, type Vault } from '../../security/vault.ts'
import type { Secret } from '../../signatures/secret.ts'

/** The secrets of an endpoint. */
export interface EndpointSecrets {
  /** Made by this server, to be registered or pasted at the provider. */
  generated: string
  /** The secret with which the provider signs its requests, if it differs; null until it is received. */
  proof: string | null
  /** A second one that is accepted too: the secret of the OAuth client. */
  client?: string
}

const locationOf = (endpointId: string) => `connector_endpoints.secret:${endpointId}`

/** Letters, digits, `-` and `_` only: Telegram accepts no others. */
export const makeSecret = () => randomBase64(32).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const sealSecrets = (vault: Vault, endpointId: string, secrets: EndpointSecrets): string =>
  vault.seal(locationOf(endpointId), JSON.stringify(secrets))

/** Null if they were sealed with another secret of this server: the endpoint then accepts nothing. */
export function openSecrets(vault: Vault, endpointId: string, sealed: string): EndpointSecrets | null {
  try {
    return JSON.parse(vault.open(locationOf(endpointId), sealed))
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

export const hashed = (text: string): Secret => ({ text, hash: sha256(text) })
