import { badField, conflict } from '../../../../errors.ts'
import type { ConnectionDependencies } from '../../connections/connections.ts'
import type { ReceiverDefinition } from '../../connectors/connectors.ts'
import { type EndpointSecrets, makeSecret } from '../secrets.ts'
import { readCurrentProof } from './proof-secret.ts'

/** How long an endpoint accepts the first secret of its provider, which arrives in an unsigned request. */
const SECRET_WINDOW_MS = 600_000

/** Until when a secret is accepted that the provider sends itself; null for other providers. */
export const secretWindow = ({ proof }: Pick<ReceiverDefinition, 'proof'>, now: Date): Date | null =>
  sendsSecret(proof) ? new Date(now.getTime() + SECRET_WINDOW_MS) : null

export const sendsSecret = (proof: ReceiverDefinition['proof']): boolean =>
  proof.by !== 'google-token' && proof.secret.from === 'handshake'

interface Endpoint {
  orgId: string
  connectionId: string
  slug: string
}

/** The secrets of a new endpoint, or of one that gets another entered secret. */
export async function secretsFor(
  deps: ConnectionDependencies,
  endpoint: Endpoint,
  receiver: ReceiverDefinition,
  entered: string | undefined,
  before: EndpointSecrets = { generated: makeSecret(), proof: null },
): Promise<{ secrets: EndpointSecrets; hasProofSecret: boolean }> {
  const { proof } = receiver
  const source = proof.by === 'google-token' ? null : proof.secret
  if (entered !== undefined && source?.from !== 'entered')
    throw badField('body.secret', 'must be absent: this connector needs no secret of the provider')
  if (source?.from === 'entered') {
    // Some providers show the secret only after the URL was entered there: until then nothing is accepted.
    const proof = entered ?? before.proof
    return { secrets: { ...before, proof }, hasProofSecret: proof !== null }
  }
  const secrets = { ...before, ...(await readCurrentProof(deps, endpoint, receiver)) }
  if ((source?.from === 'credential' || source?.from === 'client') && secrets.proof === null)
    throw conflict('The connection has no secret by which events could be verified: connect it again')
  return { secrets, hasProofSecret: source === null || source.from === 'generated' || secrets.proof !== null }
}
