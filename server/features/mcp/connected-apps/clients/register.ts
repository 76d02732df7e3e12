import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { type authorizationServer, MCP_SCOPES } from '../../../../../contract/mcp/authorization-server.ts'
import { redirectTargetOf } from '../../../../../contract/mcp/redirect-uri.ts'
import type { PublicContext } from '../../../../context.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { randomToken } from '../../../../security/random.ts'
import { insertClient } from './client-queries.ts'

export const CLIENT_NAME_LENGTH_MAX = 80

/** Open to everyone, as RFC 7591 allows: a registered client can do nothing until a person connects it. */
export async function register(ctx: PublicContext, input: InputOf<typeof authorizationServer.register>) {
  const { redirect_uris: redirectUris, token_endpoint_auth_method: authMethod } = input
  const id = newId()
  const now = ctx.now()
  const secret = authMethod === 'none' ? null : randomToken(32)
  const name =
    toDisplayName(input.client_name ?? '', CLIENT_NAME_LENGTH_MAX) || redirectTargetOf(redirectUris[0]!)
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
