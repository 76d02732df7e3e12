import type { connections } from '../../../../../contract/connections/connections.ts'
import { CONNECTION_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { Id } from '../../../../../contract/fields.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badField, badRequest } from '../../../../errors.ts'
import { publish } from '../../../../events/publish.ts'
import { newId } from '../../../../security/ids.ts'
import { type ConnectorDefinition, findDefinition, validateFields } from '../../connectors/connectors.ts'
import { checkCredentials, storeChecked } from '../establish.ts'
import { authorizationUrl, findOAuthDefinition } from '../oauth/authorize.ts'
import { findProvider, notConfigured } from '../oauth/provider.ts'
import { type ConnectionRow, findActiveId, insertPending, resumePending } from '../queries.ts'
import { findOwn, present } from '../records.ts'
import { connectionEvent } from '../status.ts'

export interface StartInput {
  slug: string
  label: string | null
  config: Record<string, string>
  /** Request fields, for errors. */
  paths: { slug: string; config: string }
}

export const startConnection =
  (connectors: ConnectorsConfig) =>
  async (ctx: Context<'outbound' | 'quotas' | 'vault'>, input: InputOf<typeof connections.start>) => {
    const { orgId } = ctx.caller
    const { connectorSlug: slug, label = null, config, credentials } = input
    const paths = { slug: 'body.connectorSlug', config: 'body.config' }
    const start = await checkStart(ctx, connectors, { slug, label, config, paths })
    const { definition, existingId } = start
    const { auth, name } = definition
    if (credentials && auth.type !== 'api_key')
      throw badField('body.credentials', `must be omitted: ${name} does not use credentials`)
    const id = existingId ?? (await startNew(ctx, connectors, start, credentials))
    const row = await findOwn(ctx, id)
    const isPending = row.status === 'pending' && auth.type === 'oauth'
    const authorization = isPending ? await authorizationUrl(ctx, connectors, row, definition, {}) : null
    const body = {
      connection: await present(ctx.sql, orgId, row),
      oauthUrl: authorization?.url ?? null,
      credentialSubmitUrl: auth.type === 'api_key' ? credentialsPath(id) : null,
    }
    return reply(body, { status: existingId ? 200 : 201, ...authorization?.reply })
  }

/** A failed check leaves no row. */
async function startNew(
  ctx: Context<'outbound' | 'quotas' | 'vault'>,
  connectors: ConnectorsConfig,
  start: CheckedStart,
  entered: Record<string, string> | undefined,
): Promise<string> {
  const { definition, config } = start
  const { auth, slug, name } = definition
  if (auth.type === 'oauth' || (auth.type === 'api_key' && !entered)) return startPending(ctx, start)
  const credentials = auth.type === 'api_key' ? validateFields(auth.fields, entered!, 'body.credentials') : {}
  const row = { slug, config, account: null, generation: 0 }
  const checked = await checkCredentials({ ...ctx, connectors }, row, definition, credentials)
  return ctx.transaction(async (inside) => {
    const id = await startPending(inside, start)
    await storeChecked(inside.sql, ctx.caller.orgId, ctx, { id, ...checked })
    if (auth.type === 'api_key')
      await recordAudit(inside, {
        action: 'connection.established',
        by: ctx.caller,
        target: id,
        details: { name },
      })
    return id
  })
}

const credentialsPath = (id: string) => `/api/v1/connections/${id}/credentials`

export interface CheckedStart {
  definition: ConnectorDefinition
  label: string | null
  config: Record<string, string>
  /** With this connector and label. */
  existingId: string | null
}

export async function checkStart(
  ctx: Context<'vault'>,
  connectors: ConnectorsConfig,
  { slug, label, config, paths }: StartInput,
): Promise<CheckedStart> {
  const { orgId, userId } = ctx.caller
  const definition = await findDefinition(ctx.sql, orgId, slug)
  if (!definition) throw badField(paths.slug, `must be a connector slug: there is no ${slug}`)
  if (connectors[slug]?.isDisabled)
    throw badRequest(`${definition.name} is disabled: this server’s operator turned it off`)
  if (definition.availability?.value === 'coming_soon')
    throw badRequest(`${definition.name} cannot be connected yet: ${definition.availability.reason}`)
  const values = validateFields(definition.config ?? [], config, paths.config)
  const existingId = await findActiveId(ctx.sql, orgId, { userId, slug, label })
  const fields = { slug, config: values, kept: {} }
  if (
    !existingId &&
    definition.auth.type === 'oauth' &&
    !(await findProvider({ ...ctx, connectors }, orgId, definition, fields))
  )
    throw notConfigured(definition)
  return { definition, label, config: values, existingId }
}

/** Reuses a pending connection with the same values. */
const startPending = (ctx: Context<'quotas'>, { definition, label, config }: CheckedStart): Promise<string> =>
  ctx.transaction(async (inside) => {
    const { orgId, userId } = ctx.caller
    const { slug } = definition
    const now = ctx.now()
    const pendingUntil = new Date(now.getTime() + CONNECTION_LIMITS.pendingMinutes * 60_000)
    const pending = { userId, slug, label, config, pendingUntil, now }
    const resumedId = await resumePending(inside.sql, orgId, pending)
    if (resumedId) return resumedId
    const id = newId()
    await insertPending(inside.sql, orgId, { id, ...pending })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'connections', now)
    await publish(inside, connectionEvent('connection.created', id, slug))
    return id
  })

export const startOAuth =
  (connectors: ConnectorsConfig) =>
  async (ctx: Context<'quotas' | 'vault'>, input: InputOf<typeof connections.startOAuth>) => {
    if (ctx.caller.via !== 'session')
      throw badRequest('Open this URL in a browser where you’re signed in: an API key can’t authorize')
    const { connector, label = null, selectAccount, returnTo, connection, ...configInput } = input
    const row =
      connection === undefined
        ? await startNewByOAuth(ctx, connectors, {
            slug: connector,
            label,
            config: requireTexts(configInput),
          })
        : await findRequested(ctx, connector, connection)
    const definition = await findOAuthDefinition(ctx, row)
    const options = { selectAccount: selectAccount === '1', returnTo }
    const { url, reply: replyOptions } = await authorizationUrl(ctx, connectors, row, definition, options)
    return reply(null, { redirect: url, ...replyOptions })
  }

async function startNewByOAuth(
  ctx: Context<'quotas' | 'vault'>,
  connectors: ConnectorsConfig,
  start: { slug: string; label: string | null; config: Record<string, string> },
): Promise<ConnectionRow> {
  const paths = { slug: 'query.connector', config: 'query' }
  const checked = await checkStart(ctx, connectors, { ...start, paths })
  return findOwn(ctx, checked.existingId ?? (await startPending(ctx, checked)))
}

async function findRequested(ctx: Context, slug: string, id: unknown): Promise<ConnectionRow> {
  const parsed = Id.safeParse(id)
  if (!parsed.success) throw badField('query.connection', 'must be a connection id')
  const row = await findOwn(ctx, parsed.data)
  if (row.slug !== slug) throw badField('query.connector', 'must be the connection’s connector')
  if (row.status === 'failed') throw badRequest('The connection was not completed in time: start it again')
  return row
}

function requireTexts(parameters: Record<string, unknown>): Record<string, string> {
  for (const [name, value] of Object.entries(parameters))
    if (typeof value !== 'string') throw badField(`query.${name}`, 'must be sent only once')
  return parameters as Record<string, string>
}
