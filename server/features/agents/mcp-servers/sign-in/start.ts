import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { mcpServers } from '../../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { conflict } from '../../../../errors.ts'
import { startFlow } from '../../../../oauth/flow.ts'
import { sha256 } from '../../../../security/digest.ts'
import { findRow } from '../records.ts'
import { prepareClient } from './discover.ts'
import { sealSecret } from './target.ts'
import { updateClient } from './token-queries.ts'

/** The provider of the flow: the id of the server is part of its data. */
export const FLOW_PROVIDER = 'mcp-server'

/** Stored with the flow: the session that started it is the only one that can complete it. */
export interface SignInFlow {
  orgId: string
  serverId: string
  sessionId: string
  url: string
  issuer: string
}

export const redirectUriOf = ({ origin }: Pick<PublicContext, 'origin'>) =>
  `${origin.baseUrl}/api/v1/mcp-servers/oauth/callback`

export async function startSignIn(ctx: Context, { id }: InputOf<typeof mcpServers.signIn>) {
  const { orgId, credentialId } = ctx.caller
  const server = await findRow(ctx, id)
  if (server.auth !== 'oauth') throw conflict('The MCP server does not use OAuth')
  const redirectUri = redirectUriOf(ctx)
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

/** Without `offline_access`, some authorization servers issue no refresh token. */
function scopeOf(scope: string | undefined, supported: readonly string[] | undefined): string | undefined {
  const names = scope?.split(' ').filter(Boolean) ?? []
  if (names.length === 0) return undefined
  const isOffered = supported?.includes('offline_access') && !names.includes('offline_access')
  return [...names, ...(isOffered ? ['offline_access'] : [])].join(' ')
}

/** The part of the metadata that a sign-in and a refresh need. The rest can have any size, and is not stored. */
const STORED_FIELDS = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'response_types_supported',
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
] as const
const STORED_BYTES_MAX = 16_384

/** Null if even this part is too large. */
export function storedMetadata(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata | null {
  const stored = Object.fromEntries(
    STORED_FIELDS.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
  ) as AuthorizationServerMetadata
  return Buffer.byteLength(JSON.stringify(stored)) > STORED_BYTES_MAX ? null : stored
}

/** The metadata of the authorization server of an MCP server, and the client of this server there. No secrets. */
export interface OAuthClientState {
  clientId?: string
  /** The client was registered by this server, for this redirect URI. Absent for one that an admin entered. */
  registeredFor?: string
  authorizationServer?: string
  metadata?: AuthorizationServerMetadata
  /** The resource indicator of the MCP server. */
  resource?: string
  scope?: string
}

export interface Tokens {
  access: string
  /** Null if the authorization server issued none. */
  refresh: string | null
}
