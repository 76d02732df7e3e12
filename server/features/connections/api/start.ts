import type { connections } from '../../../../contract/connections/connections.ts'
import { CONNECTION_LIMITS } from '../../../../contract/connections/connector-options.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, badRequest } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { type ConnectorDefinition, findDefinition, validateFields } from '../../connectors/connectors.ts'
import { establish } from '../establish.ts'
import { authorizationUrl } from '../oauth/authorize.ts'
import { findProvider, notConfigured } from '../oauth/provider.ts'
import { findOwn, present } from '../records.ts'
import { eventOf } from '../status.ts'
import { findActiveId, insertPending, resumePending } from '../write-queries.ts'

export interface StartInput {
  slug: string
  label: string | null
  config: Record<string, string>
  /** The field of the request that names the connector, and that of its values. */
  paths: { slug: string; config: string }
}

export const startConnection =
  (connectors: ConnectorsConfig) => async (ctx: Context, input: InputOf<typeof connections.start>) => {
    const { orgId } = ctx.caller
    const { connectorSlug: slug, label = null, config } = input
    const paths = { slug: 'body.connectorSlug', config: 'body.config' }
    const { definition, id, isExisting } = await startPending(ctx, connectors, { slug, label, config, paths })
    if (!isExisting && definition.auth.type === 'none')
      await establish({ ...ctx, connectors }, orgId, { id, credentials: {} })
    const row = await findOwn(ctx, id)
    const isPending = row.status === 'pending' && definition.auth.type === 'oauth'
    const authorization = isPending ? await authorizationUrl(ctx, connectors, row, definition, {}) : null
    const body = {
      connection: await present(ctx.sql, orgId, row),
      oauthUrl: authorization?.url ?? null,
      credentialSubmitUrl: definition.auth.type === 'api_key' ? credentialsPath(id) : null,
    }
    return reply(body, { status: isExisting ? 200 : 201, ...authorization?.reply })
  }

const credentialsPath = (id: string) => `/api/v1/connections/${id}/credentials`

/** The active connection of the caller, the pending one that was started in the same way, or a new one. */
export async function startPending(
  ctx: Context,
  connectors: ConnectorsConfig,
  { slug, label, config, paths }: StartInput,
): Promise<{ definition: ConnectorDefinition; id: string; isExisting: boolean }> {
  const { orgId, userId } = ctx.caller
  const definition = await findDefinition(ctx.sql, orgId, slug)
  if (!definition) throw badField(paths.slug, `must be the slug of a connector: there is no ${slug}`)
  if (connectors[slug]?.isDisabled)
    throw badRequest(`${definition.name} is disabled: the operator of this server turned it off`)
  if (definition.availability?.value === 'coming_soon')
    throw badRequest(`${definition.name} cannot be connected yet: ${definition.availability.reason}`)
  const values = validateFields(definition.config ?? [], config, paths.config)
  const key = { userId, slug, label }
  const existingId = await findActiveId(ctx.sql, orgId, key)
  if (existingId) return { definition, id: existingId, isExisting: true }
  const fields = { slug, config: values, kept: {} }
  if (
    definition.auth.type === 'oauth' &&
    !(await findProvider({ ...ctx, connectors }, orgId, definition, fields))
  )
    throw notConfigured(definition)
  return ctx.transaction(async (inside) => {
    const now = ctx.now()
    const pendingUntil = new Date(now.getTime() + CONNECTION_LIMITS.pendingMinutes * 60_000)
    const pending = { ...key, config: values, pendingUntil, now }
    const resumedId = await resumePending(inside.sql, orgId, pending)
    if (resumedId) return { definition, id: resumedId, isExisting: false }
    const id = newId()
    await insertPending(inside.sql, orgId, { id, ...pending })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'connections', now)
    await publish(inside, eventOf('connection.created', id, slug))
    return { definition, id, isExisting: false }
  })
}
