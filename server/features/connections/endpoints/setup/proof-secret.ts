import { ApiError } from '../../../../errors.ts'
import { type ConnectionDependencies, openConnection } from '../../connections/connections.ts'
import { findClient, type ReceiverDefinition } from '../../connectors/connectors.ts'

interface Endpoint {
  orgId: string
  connectionId: string
  slug: string
}

/**
 * The current secrets of an endpoint that the connection or the OAuth client has. Empty while the connection does not
 * work: the stored secrets then stay in use, so that events are received and held.
 */
export async function readCurrentProof(
  deps: ConnectionDependencies,
  { orgId, connectionId, slug }: Endpoint,
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
