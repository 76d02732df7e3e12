import type { z } from 'zod'
import type { ConnectorEndpoint } from '../../../../../contract/connections/connector-endpoint-records.ts'
import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { notFound, raise } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import {
  type ConnectorDefinition,
  findDefinition,
  findDefinitions,
  type ReceiverDefinition,
} from '../../connectors/connectors.ts'
import { callbackPath } from '../callback-url.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { openSecrets, sendsSecret } from '../secrets.ts'
import { type EndpointView, findEndpoint, listAllEndpoints, listEndpoints } from './endpoint-queries.ts'

export const requireVisible = async (ctx: Context, id: string): Promise<EndpointView> =>
  (await findEndpoint(ctx.sql, ctx.caller, id)) ?? raise(notFound('Endpoint'))

export async function readEndpoint(
  options: Pick<EndpointOptions, 'publicUrl'>,
  ctx: Context<'vault'>,
  id: string,
) {
  const row = await requireVisible(ctx, id)
  return presentEndpoint(withPublicUrl(options, ctx), await findDefinition(ctx.sql, row.orgId, row.slug), row)
}

export async function readWithSetup(
  options: Pick<EndpointOptions, 'publicUrl'>,
  ctx: Context<'vault'>,
  id: string,
) {
  const endpoint = await readEndpoint(options, ctx, id)
  const receiver = (await findDefinition(ctx.sql, ctx.caller.orgId, endpoint.connectorSlug))?.receiver
  const setup = receiver && describeSetup(receiver, { url: endpoint.url, secret: HIDDEN_SECRET })
  return { ...endpoint, setup: { steps: [], paste: null, ...setup, secret: null } }
}

const HIDDEN_SECRET = '(the secret that was shown once)'

export async function readEndpoints(
  options: EndpointOptions,
  ctx: Context<'vault'>,
  { limit, cursor, connectionId, projectId, agentId }: InputOf<typeof connectorEndpoints.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const list = `connector endpoints ${orgId} ${userId} ${connectionId ?? ''} ${project ?? ''} ${agentId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const filter = { connectionId, projectId: project, agentId }
  const rows = await listEndpoints(ctx.sql, ctx.caller, filter, { before, limit: limit + 1 })
  const definitions = await findDefinitions(
    ctx.sql,
    orgId,
    rows.map(({ slug }) => slug),
  )
  const publicCtx = withPublicUrl(options, ctx)
  return cursorPage(ctx.vault, list, limit, rows, (row) =>
    presentEndpoint(publicCtx, definitions.get(row.slug) ?? null, row),
  )
}

/** The provider's URL, whichever host name the caller uses. */
const withPublicUrl = ({ publicUrl }: Pick<EndpointOptions, 'publicUrl'>, ctx: Context<'vault'>) => ({
  caller: ctx.caller,
  vault: ctx.vault,
  origin: { ...ctx.origin, baseUrl: publicUrl ?? ctx.origin.baseUrl },
})

export async function observeEndpoints(
  ctx: Context<'vault'>,
  { limit, cursor, connector }: InputOf<typeof connectorEndpoints.observeEndpoints>,
) {
  const list = `all connector endpoints ${connector ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listAllEndpoints(ctx.sql, { slug: connector, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, ({ latency, ...row }) => ({
    id: row.id,
    organization: { id: row.orgId, name: row.orgName },
    connectorSlug: row.slug,
    connectionStatus: row.connectionStatus,
    status: row.status,
    pausedReason: row.pausedReason,
    held: row.held,
    registration: row.registration,
    registrationError: row.registrationError,
    renewsAt: row.renewsAt,
    counts: row.counts,
    lastReceivedAt: row.lastReceivedAt,
    lastError: row.lastError === null ? null : { message: row.lastError, at: row.lastErrorAt! },
    createdAt: row.createdAt,
    latency:
      latency.medianMs === null || latency.p95Ms === null
        ? null
        : { medianMs: latency.medianMs, p95Ms: latency.p95Ms, events: latency.events },
  }))
}

function presentEndpoint(
  ctx: Pick<Context<'vault'>, 'caller' | 'origin' | 'vault'>,
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
    url: ctx.origin.baseUrl + callbackPath(row.slug, row.id),
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

/** Some providers need a token entered there. Shown until the first event proves this is done. */
function tokenOf(
  { vault }: Pick<Context<'vault'>, 'vault'>,
  definition: ConnectorDefinition | null,
  { id, secretSealed, hasProofSecret, counts }: EndpointView,
): string | null {
  const proof = definition?.receiver?.proof
  if (!proof || proof.by === 'google-token' || proof.secret.from !== 'handshake') return null
  if (proof.secret.path === undefined || !hasProofSecret || counts.received > 0) return null
  return openSecrets(vault, id, secretSealed)?.proof ?? null
}

/** Lets a user compare the received secret with the provider's. */
function fingerprintOf(
  { vault }: Pick<Context<'vault'>, 'vault'>,
  definition: ConnectorDefinition | null,
  { id, secretSealed, hasProofSecret }: EndpointView,
): string | null {
  const proof = definition?.receiver?.proof
  if (!proof || !hasProofSecret || !sendsSecret(proof)) return null
  const secret = openSecrets(vault, id, secretSealed)?.proof ?? null
  return secret === null ? null : sha256(secret).toString('hex').slice(0, FINGERPRINT_CHARACTERS)
}

const FINGERPRINT_CHARACTERS = 16

/** Also governs who sees received payloads. */
export const mayEdit = ({ userId, role }: Pick<Caller, 'userId' | 'role'>, ownerId: string): boolean =>
  userId === ownerId || role !== 'member'

export function describeSetup(
  { setup, proof, handshake }: ReceiverDefinition,
  { url, secret }: { url: string; secret: string },
) {
  const fill = (text: string) => text.replaceAll('{url}', url).replaceAll('{secret}', secret)
  const steps = (setup.steps ?? []).map(fill)
  const paste = setup.by === 'hand' ? setup.paste : undefined
  const isGenerated = proof.by !== 'google-token' && proof.secret.from === 'generated'
  const isChecked = handshake?.by === 'query-echo' && handshake.verify !== undefined
  const isShown = setup.by === 'hand' ? isGenerated || isChecked : steps.some((step) => step.includes(secret))
  return {
    steps,
    secret: isShown ? secret : null,
    paste: paste ? { label: paste.label, text: fill(paste.text) } : null,
  }
}
