import { ApiError, badField, conflict } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomBase64 } from '../../../security/random.ts'
import type { Vault } from '../../../security/vault.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { type ConnectionDependencies, openConnection } from '../connections/connections.ts'
import { findClient, type ReceiverDefinition } from '../connectors/connectors.ts'

export interface EndpointSecrets {
  generated: string
  /** The provider's signing secret, if different. Null until received. */
  proof: string | null
  /** Also accepted: the OAuth client's secret. */
  client?: string
}

const locationOf = (endpointId: string) => `connector_endpoints.secret:${endpointId}`

/** Telegram accepts only letters, digits, `-` and `_`. */
export const makeSecret = () => randomBase64(32).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const sealSecrets = (vault: Vault, endpointId: string, secrets: EndpointSecrets): string =>
  vault.seal(locationOf(endpointId), JSON.stringify(secrets))

/** Null if sealed with a different server secret. The endpoint then accepts nothing. */
export function openSecrets(vault: Vault, endpointId: string, sealed: string): EndpointSecrets | null {
  const text = vault.tryOpen(locationOf(endpointId), sealed)
  return text === null ? null : JSON.parse(text)
}

export const toSecret = (text: string): Secret => ({ text, hash: sha256(text) })

interface ConnectedEndpoint {
  orgId: string
  connectionId: string
  slug: string
}

/** Empty while the connection is down, so the stored secrets stay in use and events are still received and held. */
export async function readCurrentProof(
  deps: ConnectionDependencies,
  { orgId, connectionId, slug }: ConnectedEndpoint,
  { proof }: Pick<ReceiverDefinition, 'proof'>,
): Promise<{ proof?: string; client?: string }> {
  if (proof.by === 'google-token') return {}
  const source = proof.secret
  if (source.from === 'credential') {
    const value = await credentialOf(deps, orgId, connectionId, source.key)
    return value === undefined ? {} : { proof: value }
  }
  const usesClient = source.from === 'client' || (source.from === 'generated' && source.orClient)
  const client = usesClient ? await findClient(deps, orgId, slug) : null
  if (!client) return {}
  return source.from === 'client' ? { proof: client.secret } : { client: client.secret }
}

async function credentialOf(deps: ConnectionDependencies, orgId: string, connectionId: string, key: string) {
  try {
    return (await openConnection(deps, orgId, connectionId)).credentials[key]
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Short, because the provider's first secret arrives in an unsigned request. */
const SECRET_WINDOW_MS = 600_000

/** For providers that send the secret themselves. Null for others. */
export const secretWindow = ({ proof }: Pick<ReceiverDefinition, 'proof'>, now: Date): Date | null =>
  sendsSecret(proof) ? new Date(now.getTime() + SECRET_WINDOW_MS) : null

export const sendsSecret = (proof: ReceiverDefinition['proof']): boolean =>
  proof.by !== 'google-token' && proof.secret.from === 'handshake'

export async function secretsFor(
  deps: ConnectionDependencies,
  endpoint: ConnectedEndpoint,
  receiver: ReceiverDefinition,
  entered: string | undefined,
  before: EndpointSecrets = { generated: makeSecret(), proof: null },
): Promise<{ secrets: EndpointSecrets; hasProofSecret: boolean }> {
  const { proof } = receiver
  const source = proof.by === 'google-token' ? null : proof.secret
  if (entered !== undefined && source?.from !== 'entered')
    throw badField('body.secret', 'must be absent: this connector needs no provider secret')
  if (source?.from === 'entered') {
    // Some providers show the secret only after the URL is entered there.
    const proof = entered ?? before.proof
    return { secrets: { ...before, proof }, hasProofSecret: proof !== null }
  }
  const secrets = { ...before, ...(await readCurrentProof(deps, endpoint, receiver)) }
  if ((source?.from === 'credential' || source?.from === 'client') && secrets.proof === null)
    throw conflict('The connection has no secret to verify events with: connect it again')
  return { secrets, hasProofSecret: source === null || source.from === 'generated' || secrets.proof !== null }
}
