import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { authorizationServer } from '../../../../../contract/mcp/authorization-server.ts'
import type { PublicContext } from '../../../../context.ts'
import { sha256 } from '../../../../security/digest.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { disconnect } from '../grants.ts'
import { isOwnResource, mcpUrlOf } from '../metadata.ts'
import { refusal } from '../oauth-refusal.ts'
import { exchangeCode } from './exchange-code.ts'
import { refreshTokens } from './refresh.ts'
import { deleteToken, lockToken } from './token-queries.ts'

type TokenInput = InputOf<typeof authorizationServer.token>

export async function handleTokenRequest(ctx: PublicContext, input: TokenInput) {
  const clientId = await authenticateClient(ctx, input)
  const { baseUrl } = ctx.origin
  if (input.resource !== undefined && !isOwnResource(input.resource, baseUrl))
    throw refusal('invalid_target', `resource must be ${mcpUrlOf(baseUrl)}`)
  const requireParameter = (name: 'code' | 'redirect_uri' | 'code_verifier' | 'refresh_token'): string => {
    const value = input[name]
    if (value === undefined) throw refusal('invalid_request', `${name} is required`)
    return value
  }
  if (input.grant_type === 'authorization_code') {
    return exchangeCode(ctx, {
      clientId,
      code: requireParameter('code'),
      redirectUri: requireParameter('redirect_uri'),
      verifier: requireParameter('code_verifier'),
    })
  }
  if (input.grant_type === 'refresh_token')
    return refreshTokens(ctx, { clientId, token: requireParameter('refresh_token'), scope: input.scope })
  throw refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
}

/** An unknown token is not an error, per RFC 7009: the client requested its revocation, and no such token is valid. */
export async function revokeToken(ctx: PublicContext, input: InputOf<typeof authorizationServer.revoke>) {
  const clientId = await authenticateClient(ctx, input)
  const hash = sha256(input.token)
  await ctx.transaction(async (inside) => {
    const row = await lockToken(inside.sql, hash)
    if (!row || row.clientId !== clientId) return
    if (row.kind === 'access') await deleteToken(inside.sql, row.orgId, hash)
    else await disconnect(inside, row, { id: row.grantId, why: 'app' })
  })
  return {}
}
