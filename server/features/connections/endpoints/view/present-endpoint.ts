import type { z } from 'zod'
import type { ConnectorEndpoint } from '../../../../../contract/connections/connector-endpoint-records.ts'
import type { Caller, Context } from '../../../../context.ts'
import { sha256 } from '../../../../security/digest.ts'
import type { ConnectorDefinition } from '../../connectors/connectors.ts'
import { openSecrets } from '../secrets.ts'
import { pathOf } from '../setup/callback-url.ts'
import { sendsSecret } from '../setup/first-secrets.ts'
import type { EndpointView } from './endpoint-queries.ts'

export function presentEndpoint(
  ctx: Pick<Context, 'caller' | 'origin' | 'vault'>,
  definition: ConnectorDefinition | null,
  row: EndpointView,
): z.output<typeof ConnectorEndpoint> {
  const { caller } = ctx
  const isOwner = row.ownerId === caller.userId
  return {
    id: row.id,
    name: row.name,
    connectionId: row.connectionId,
    connectionStatus: row.connectionStatus,
    connectorSlug: row.slug,
    connectorName: definition?.name ?? row.slug,
    accountName: row.accountName,
    projectId: row.projectId,
    projectName: row.projectName,
    agentId: row.agentId,
    agentName: row.agentName,
    owner: { id: row.ownerId, name: row.ownerName },
    status: row.status,
    pausedReason: row.pausedReason,
    held: row.held,
    events: row.events,
    sessionKey: row.sessionKey,
    reply: row.reply,
    filter: row.filter,
    fields: row.fields,
    url: ctx.origin.baseUrl + pathOf(row.slug, row.id),
    registration: row.registration,
    registrationError: row.registrationError,
    registeredAt: row.registeredAt,
    renewsAt: row.renewsAt,
    secretUntil: row.hasProofSecret ? null : row.secretUntil,
    secretFingerprint: fingerprintOf(ctx, definition, row),
    verificationToken: isOwner ? tokenOf(ctx, definition, row) : null,
    counts: row.counts,
    lastReceivedAt: row.lastReceivedAt,
    lastError: row.lastError === null ? null : { message: row.lastError, at: row.lastErrorAt! },
    canEdit: mayEdit(caller, row.ownerId),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** Some providers send a token that a person enters there; it is shown until the first event proves that this is done. */
function tokenOf(
  { vault }: Pick<Context, 'vault'>,
  definition: ConnectorDefinition | null,
  { id, secretSealed, hasProofSecret, counts }: EndpointView,
): string | null {
  const proof = definition?.receiver?.proof
  if (!proof || proof.by === 'google-token' || proof.secret.from !== 'handshake') return null
  if (proof.secret.path === undefined || !hasProofSecret || counts.received > 0) return null
  return openSecrets(vault, id, secretSealed)?.proof ?? null
}

/** Identifies the secret that the provider sent, so that a person can compare it with the provider's. */
function fingerprintOf(
  { vault }: Pick<Context, 'vault'>,
  definition: ConnectorDefinition | null,
  { id, secretSealed, hasProofSecret }: EndpointView,
): string | null {
  const proof = definition?.receiver?.proof
  if (!proof || !hasProofSecret || !sendsSecret(proof)) return null
  const secret = openSecrets(vault, id, secretSealed)?.proof ?? null
  return secret === null ? null : sha256(secret).toString('hex').slice(0, FINGERPRINT_CHARACTERS)
}

const FINGERPRINT_CHARACTERS = 16

/** Whether a caller may change an endpoint and see its received payloads. */
export const mayEdit = ({ userId, role }: Pick<Caller, 'userId' | 'role'>, ownerId: string): boolean =>
  userId === ownerId || role !== 'member'
