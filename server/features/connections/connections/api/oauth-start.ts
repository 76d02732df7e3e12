import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { Id } from '../../../../../contract/fields.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badField, badRequest } from '../../../../errors.ts'
import { authorizationUrl, findOAuthDefinition } from '../oauth/authorize.ts'
import type { ConnectionRow } from '../queries.ts'
import { findOwn } from '../records.ts'
import { checkStart, startPending } from './start.ts'

/** Opens the page of the provider, for a new connection or for the one in `connection`. */
export const startOAuth =
  (connectors: ConnectorsConfig) => async (ctx: Context, input: InputOf<typeof connections.startOAuth>) => {
    if (ctx.caller.via !== 'session')
      throw badRequest('Open this URL in a browser in which you are signed in: an API key cannot authorize')
    const { connector, label = null, selectAccount, returnTo, connection, ...configInput } = input
    const row =
      connection === undefined
        ? await startNew(ctx, connectors, { slug: connector, label, config: requireTexts(configInput) })
        : await findRequested(ctx, connector, connection)
    const definition = await findOAuthDefinition(ctx, row)
    const options = { selectAccount: selectAccount === '1', returnTo }
    const { url, reply: replyOptions } = await authorizationUrl(ctx, connectors, row, definition, options)
    return reply(null, { redirect: url, ...replyOptions })
  }

async function startNew(
  ctx: Context,
  connectors: ConnectorsConfig,
  start: { slug: string; label: string | null; config: Record<string, string> },
): Promise<ConnectionRow> {
  const paths = { slug: 'query.connector', config: 'query' }
  const checked = await checkStart(ctx, connectors, { ...start, paths })
  return findOwn(ctx, checked.existingId ?? (await startPending(ctx, checked)))
}

async function findRequested(ctx: Context, slug: string, id: unknown): Promise<ConnectionRow> {
  const parsed = Id.safeParse(id)
  if (!parsed.success) throw badField('query.connection', 'must be the id of a connection')
  const row = await findOwn(ctx, parsed.data)
  if (row.slug !== slug) throw badField('query.connector', 'must be the connector of the connection')
  if (row.status === 'failed') throw badRequest('The connection was not completed in time: start it again')
  return row
}

function requireTexts(parameters: Record<string, unknown>): Record<string, string> {
  for (const [name, value] of Object.entries(parameters))
    if (typeof value !== 'string') throw badField(`query.${name}`, 'must be given once')
  return parameters as Record<string, string>
}
