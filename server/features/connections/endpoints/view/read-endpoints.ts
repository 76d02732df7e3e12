import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { notFound, raise } from '../../../../errors.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { findDefinition, findDefinitions } from '../../connectors/connectors.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { setupOf } from '../setup/setup-steps.ts'
import { type EndpointView, findEndpoint, listAllEndpoints, listEndpoints } from './endpoint-queries.ts'
import { presentEndpoint } from './present-endpoint.ts'

export const requireVisible = async (ctx: Context, id: string): Promise<EndpointView> =>
  (await findEndpoint(ctx.sql, ctx.caller, id)) ?? raise(notFound('Endpoint'))

export async function readEndpoint(options: Pick<EndpointOptions, 'publicUrl'>, ctx: Context, id: string) {
  const row = await requireVisible(ctx, id)
  return presentEndpoint(withPublicUrl(options, ctx), await findDefinition(ctx.sql, row.orgId, row.slug), row)
}

/** The endpoint with the steps of its setup at the provider. */
export async function readWithSetup(options: Pick<EndpointOptions, 'publicUrl'>, ctx: Context, id: string) {
  const endpoint = await readEndpoint(options, ctx, id)
  const receiver = (await findDefinition(ctx.sql, ctx.caller.orgId, endpoint.connectorSlug))?.receiver
  const setup = receiver && setupOf(receiver, { url: endpoint.url, secret: HIDDEN_SECRET })
  return { ...endpoint, setup: { steps: [], paste: null, ...setup, secret: null } }
}

const HIDDEN_SECRET = '(the secret that was shown once)'

export async function readEndpoints(
  options: EndpointOptions,
  ctx: Context,
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

/** A context with the URL that the provider has, whichever host name of this server the caller uses. */
const withPublicUrl = ({ publicUrl }: Pick<EndpointOptions, 'publicUrl'>, ctx: Context) => ({
  caller: ctx.caller,
  vault: ctx.vault,
  origin: { ...ctx.origin, baseUrl: publicUrl ?? ctx.origin.baseUrl },
})

export async function observeEndpoints(
  ctx: Context,
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
