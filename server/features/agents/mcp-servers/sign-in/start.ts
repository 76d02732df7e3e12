import type { mcpServers } from '../../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { conflict } from '../../../../errors.ts'
import { startFlow } from '../../../../oauth/flow.ts'
import { sha256 } from '../../../../security/digest.ts'
import { findRow } from '../records.ts'
import { prepareClient } from './discover.ts'
import { sealSecret } from './secrets.ts'
import { updateClient } from './token-queries.ts'

export const FLOW_PROVIDER = 'mcp-server'

/** Stored with the flow: only the session that started it can complete it. */
export interface SignInFlow {
  orgId: string
  serverId: string
  sessionId: string
  url: string
  issuer: string
}

export const signInRedirectUri = ({ origin }: Pick<PublicContext, 'origin'>) =>
  `${origin.baseUrl}/api/v1/mcp-servers/oauth/callback`

export async function startSignIn(
  ctx: Context<'outbound' | 'vault'>,
  { id }: InputOf<typeof mcpServers.signIn>,
) {
  const { orgId, credentialId } = ctx.caller
  const server = await findRow(ctx, id)
  if (server.auth !== 'oauth') throw conflict('The MCP server does not use OAuth')
  const redirectUri = signInRedirectUri(ctx)
  const { oauth, clientSecret } = await prepareClient(ctx, server, redirectUri)
  const clientSecretSealed = clientSecret && sealSecret(ctx.vault, 'client_secret', id, clientSecret)
  await updateClient(ctx.sql, orgId, id, { oauth, clientSecretSealed })
  const data: SignInFlow = {
    orgId,
    serverId: id,
    sessionId: credentialId,
    url: server.url,
    issuer: oauth.metadata.issuer,
  }
  const { secrets, browserSecret } = await startFlow(ctx, FLOW_PROVIDER, data)
  const url = new URL(oauth.metadata.authorization_endpoint)
  const scope = scopeOf(oauth.scope, oauth.metadata.scopes_supported)
  const parameters = {
    response_type: 'code',
    client_id: oauth.clientId,
    redirect_uri: redirectUri,
    state: secrets.state,
    code_challenge: sha256(secrets.verifier).toString('base64url'),
    code_challenge_method: 'S256',
    ...(scope && { scope }),
    ...(scope?.split(' ').includes('offline_access') && { prompt: 'consent' }),
    ...(oauth.resource && { resource: oauth.resource }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return reply({ url: url.href }, { flow: { secret: browserSecret } })
}

/** Some authorization servers otherwise issue no refresh token. */
function scopeOf(scope: string | undefined, supported: readonly string[] | undefined): string | undefined {
  const names = scope?.split(' ').filter(Boolean) ?? []
  if (names.length === 0) return undefined
  const isOffered = supported?.includes('offline_access') && !names.includes('offline_access')
  return [...names, ...(isOffered ? ['offline_access'] : [])].join(' ')
}
