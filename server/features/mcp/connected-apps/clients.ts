import { toDisplayName } from '../../../../contract/display-name.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { Id } from '../../../../contract/fields.ts'
import {
  type AUTH_METHODS,
  type authorizationServer,
  MCP_SCOPES,
} from '../../../../contract/mcp/authorization-server.ts'
import { redirectTarget } from '../../../../contract/mcp/redirect-uri.ts'
import type { PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { sameSecretHash, sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { CLIENT_NAME_LENGTH_MAX, type Client, type ClientDocuments, isClientUrl } from './client-document.ts'
import { invalidClient, refusal } from './oauth-protocol.ts'

/** Open to everyone, as RFC 7591 allows: a client can do nothing until a user connects it. */
export async function register(ctx: PublicContext, input: InputOf<typeof authorizationServer.register>) {
  const { redirect_uris: redirectUris, token_endpoint_auth_method: authMethod } = input
  const id = newId()
  const now = ctx.now()
  const secret = authMethod === 'none' ? null : randomToken(32)
  const name =
    toDisplayName(input.client_name ?? '', CLIENT_NAME_LENGTH_MAX) || redirectTarget(redirectUris[0]!)
  const secretHash = secret === null ? null : sha256(secret)
  await insertClient(ctx.sql, { id, name, redirectUris, authMethod, secretHash, address: ctx.origin.ip, now })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code' as const, 'refresh_token' as const],
    response_types: ['code' as const],
    token_endpoint_auth_method: authMethod,
    scope: MCP_SCOPES.join(' '),
  }
}

export async function loadClient(
  ctx: Pick<PublicContext<'outbound'>, 'sql' | 'now' | 'outbound'>,
  documents: ClientDocuments,
  id: string,
): Promise<Client> {
  if (isClientUrl(id)) return documents(ctx.outbound, id, ctx.now())
  const row = await findClient(ctx.sql, id, ctx.now())
  if (!row) {
    throw refusal(
      'invalid_client',
      'The app is not registered here, or its registration was deleted after 30 days without use',
    )
  }
  return { id: row.id, name: row.name, host: null, redirectUris: row.redirectUris }
}

export async function authenticateClient(
  ctx: PublicContext,
  input: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<string> {
  const basic = ctx.origin.client ?? null
  const isBasic = basic !== null
  const clientId = input.client_id
  if (basic && (input.client_secret !== undefined || (clientId !== undefined && clientId !== basic.id)))
    throw refusal('invalid_request', 'The client must authenticate by one method only')
  const id = basic?.id ?? clientId
  const secret = basic?.secret || input.client_secret
  if (!id) throw invalidClient('client_id is required', isBasic)
  if (isClientUrl(id)) {
    if (secret) throw invalidClient('A client whose id is a URL has no secret', isBasic)
    return id
  }
  const row = await findClient(ctx.sql, id, ctx.now())
  if (!row) throw invalidClient('The client is not known: register it again', isBasic)
  if (!isAuthentic(row.secretHash, secret))
    throw invalidClient('The client secret is missing, wrong or not expected', isBasic)
  return row.id
}

const isAuthentic = (hash: Buffer | null, secret: string | undefined): boolean =>
  hash === null ? !secret : secret !== undefined && sameSecretHash(secret, hash)

/** No organization: a client registers before a user connects it. */
interface ClientRow {
  id: string
  name: string
  redirectUris: string[]
  authMethod: (typeof AUTH_METHODS)[number]
  secretHash: Buffer | null
}

async function insertClient(
  sql: Sql,
  {
    id,
    name,
    redirectUris,
    authMethod,
    secretHash,
    address,
    now,
  }: ClientRow & { address: string; now: Date },
): Promise<void> {
  await sql`
    insert into oauth_clients (id, name, redirect_uris, auth_method, secret_hash, address, created_at, last_used_at)
    values (${id}, ${name}, ${redirectUris}, ${authMethod}, ${secretHash}, ${address}, ${now}, ${now})`
}

/** Records use at most once an hour. */
async function findClient(sql: Sql, clientId: string, now: Date) {
  const id = Id.safeParse(clientId).data
  if (id === undefined) return null
  const [row] = await sql<(ClientRow & { isStale: boolean })[]>`
    select id, name, redirect_uris as "redirectUris", auth_method as "authMethod", secret_hash as "secretHash",
      last_used_at < ${now}::timestamptz - interval '1 hour' as "isStale"
    from oauth_clients where id = ${id}`
  if (row?.isStale) await sql`update oauth_clients set last_used_at = ${now} where id = ${id}`
  return row ?? null
}

/** A client with a live grant is in use, however seldom it calls. */
export const deleteUnusedClients = (sql: Sql, unusedSince: Date, now: Date) => sql`
  delete from oauth_clients c where c.last_used_at < ${unusedSince}
    and not exists (
      select from app_grants g where g.client_id = c.id::text and g.revoked_at is null and g.refresh_until > ${now}
        and (g.expires_at is null or g.expires_at > ${now}))`
