import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { type ReplyOptions, reply } from '../../../../endpoint/route.ts'
import { badRequest, conflict } from '../../../../errors.ts'
import { type ConnectorDefinition, findDefinition } from '../../connectors/connectors.ts'
import type { ConnectionRow } from '../queries.ts'
import { findOwn, present } from '../records.ts'
import { completeByHand } from './complete.ts'
import { type FlowOptions, startAuthorizationFlow } from './flow.ts'
import { findProvider, notConfigured } from './provider.ts'

interface Authorization {
  url: string
  reply: ReplyOptions
}

/**
 * A browser gets the provider's URL and a cookie. An API key has no browser to bind the authorization to, so it gets a
 * URL on this server that starts it in the user's browser.
 */
export async function authorizationUrl(
  ctx: Context<'vault'>,
  connectors: ConnectorsConfig,
  row: ConnectionRow,
  definition: ConnectorDefinition,
  options: FlowOptions,
): Promise<Authorization> {
  const provider = await findProvider({ ...ctx, connectors }, ctx.caller.orgId, definition, row)
  if (!provider) throw notConfigured(definition)
  if (ctx.caller.via !== 'session') return { url: startUrl(ctx, row, options), reply: {} }
  const { url, browserSecret } = await startAuthorizationFlow(ctx, row, provider, options)
  return { url, reply: { flow: { secret: browserSecret } } }
}

function startUrl({ origin }: Context, { id, slug }: ConnectionRow, { selectAccount }: FlowOptions): string {
  const url = new URL('/api/v1/connections/oauth/start', origin.baseUrl)
  url.searchParams.set('connector', slug)
  url.searchParams.set('connection', id)
  if (selectAccount) url.searchParams.set('selectAccount', '1')
  return url.href
}

export const getOAuth =
  (connectors: ConnectorsConfig) =>
  async (ctx: Context<'vault'>, { id }: InputOf<typeof connections.getOAuth>) => {
    const row = await findOwn(ctx, id)
    const definition = await findOAuthDefinition(ctx, row)
    if (row.status !== 'pending') return { oauthUrl: null, status: row.status }
    const { url, reply: options } = await authorizationUrl(ctx, connectors, row, definition, {})
    return reply({ oauthUrl: url, status: row.status }, options)
  }

export const postOAuth =
  (connectors: ConnectorsConfig) =>
  async (
    ctx: Context<'outbound' | 'vault'>,
    { id, code, state, selectAccount }: InputOf<typeof connections.postOAuth>,
  ) => {
    const row = await findOwn(ctx, id)
    const definition = await findOAuthDefinition(ctx, row)
    if (code !== undefined && state !== undefined) {
      await completeByHand(ctx, connectors, row, { code, state })
      const completed = await findOwn(ctx, id)
      const connection = await present(ctx.sql, ctx.caller.orgId, completed)
      return { oauthUrl: null, status: completed.status, connection }
    }
    if (row.status === 'failed') throw conflict('The connection was not completed in time: start it again')
    const { url, reply: options } = await authorizationUrl(ctx, connectors, row, definition, {
      selectAccount,
    })
    const connection = await present(ctx.sql, ctx.caller.orgId, row)
    return reply({ oauthUrl: url, status: row.status, connection }, options)
  }

export async function findOAuthDefinition(
  ctx: Context,
  { slug }: ConnectionRow,
): Promise<ConnectorDefinition> {
  const definition = await findDefinition(ctx.sql, ctx.caller.orgId, slug)
  if (!definition) throw conflict(`The connector ${slug} no longer exists`)
  if (definition.auth.type !== 'oauth') throw badRequest(`${definition.name} does not use OAuth`)
  return definition
}
