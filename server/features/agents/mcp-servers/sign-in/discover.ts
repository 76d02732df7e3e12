import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import { badRequest } from '../../../../errors.ts'
import { failureMessage } from '../../../../outbound/lookup.ts'
import { loadMcp } from '../connection/connect.ts'
import { type GuardedFetch, guardedFetch } from '../connection/guarded-fetch.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ServerRow } from '../queries.ts'
import { type OAuthClientState, storedMetadata } from './oauth-state.ts'
import { openSecret } from './secrets.ts'

const LIMITS = { bytesMax: 1_048_576, timeoutMs: 20_000 }
const CHARACTERS_MAX = 2000

export interface PreparedClient {
  oauth: OAuthClientState & { clientId: string; metadata: AuthorizationServerMetadata }
  clientSecret: string | null
}

/** Registers a client if there is none. */
export async function prepareClient(
  { outbound, vault }: Pick<Dependencies, 'outbound' | 'vault'>,
  server: ServerRow,
  redirectUri: string,
): Promise<PreparedClient> {
  const guarded = guardedFetch(outbound, LIMITS)
  try {
    const discovered = await discover(guarded, server.url)
    await requireUsable(outbound, discovered.metadata)
    const { clientId, registeredFor, authorizationServer } = server.oauth
    const isEntered = clientId !== undefined && registeredFor === undefined
    const isSame = registeredFor === redirectUri && authorizationServer === discovered.authorizationServer
    if (clientId !== undefined && (isEntered || isSame)) {
      const clientSecret = openSecret(vault, 'client_secret', server.id, server.clientSecretSealed)
      return { oauth: { ...discovered, clientId, ...(registeredFor && { registeredFor }) }, clientSecret }
    }
    const registered = await register(guarded, discovered, redirectUri)
    return {
      oauth: { ...discovered, clientId: registered.client_id, registeredFor: redirectUri },
      clientSecret: registered.client_secret ?? null,
    }
  } finally {
    guarded.end()
  }
}

type DiscoveredServer = Required<Pick<OAuthClientState, 'authorizationServer' | 'metadata'>> &
  OAuthClientState

async function discover({ fetch }: GuardedFetch, url: string): Promise<DiscoveredServer> {
  const mcp = await loadMcp()
  const challenge = await challengeOf(fetch, url)
  const options = {
    fetchFn: fetch,
    ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
  }
  const info = await mcp.discoverOAuthServerInfo(url, options).catch((error: unknown) => {
    if (error instanceof mcp.IssuerMismatchError)
      throw unusable('its metadata names a different issuer than the one it was read from')
    throw unusable(`its metadata cannot be read. ${reasonOf(error)}`)
  })
  const { authorizationServerMetadata, resourceMetadata } = info
  if (!authorizationServerMetadata) throw unusable('it publishes no metadata')
  const metadata = storedMetadata(authorizationServerMetadata)
  if (!metadata) throw unusable('its metadata is too large')
  const resource = await mcp
    .selectResourceURL(url, NO_PROVIDER as never, resourceMetadata)
    .catch(() => Promise.reject(unusable('the MCP server’s metadata is for another resource')))
  const scope = challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ')
  return {
    authorizationServer: info.authorizationServerUrl,
    metadata,
    ...(resource && { resource: resourceMetadata!.resource }),
    ...(scope && { scope: scope.slice(0, CHARACTERS_MAX) }),
  }
}

const NO_PROVIDER = {}

/** Without a challenge, the metadata is at well-known URLs. */
async function challengeOf(fetch: GuardedFetch['fetch'], url: string) {
  const mcp = await loadMcp()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  }).catch((error: unknown) =>
    Promise.reject(unusable(`the MCP server does not respond. ${reasonOf(error)}`)),
  )
  await response.body?.cancel()
  return response.status === 401 ? mcp.extractWWWAuthenticateParams(response) : {}
}

/** The browser opens one endpoint, and the other receives the tokens. */
async function requireUsable(outbound: Dependencies['outbound'], metadata: AuthorizationServerMetadata) {
  const { authorization_endpoint, token_endpoint, code_challenge_methods_supported: methods } = metadata
  for (const endpoint of [authorization_endpoint, token_endpoint]) {
    const problem = await outbound.checkUrl(endpoint)
    if (problem) throw unusable(`one of its endpoint URLs ${problem}`)
  }
  if (methods && !methods.includes('S256')) throw unusable('it does not support PKCE with S256')
}

async function register(
  { fetch }: GuardedFetch,
  { authorizationServer, metadata, scope }: DiscoveredServer,
  redirectUri: string,
) {
  const mcp = await loadMcp()
  if (!metadata.registration_endpoint)
    throw unusable('it doesn’t register clients: enter the id of a client you registered there')
  const clientMetadata = mcp.resolveClientMetadata({
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'Atrium',
      redirect_uris: [redirectUri],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  })
  return mcp
    .registerClient(authorizationServer, {
      metadata,
      clientMetadata,
      ...(scope && { scope }),
      fetchFn: fetch,
    })
    .catch((error: unknown) => {
      const status =
        error instanceof mcp.RegistrationRejectedError ? `It responded with ${error.status}` : reasonOf(error)
      throw unusable(`it does not register a client. ${status}`)
    })
}

const unusable = (reason: string) => badRequest(`The authorization server cannot be used: ${reason}`)

/** Other messages can contain text from the other server. */
function reasonOf(error: unknown): string {
  let found = error
  while (found instanceof Error && found.cause instanceof Error) found = found.cause
  return found instanceof Error && ('code' in found || found.constructor.name === 'NotPublicError')
    ? failureMessage(found)
    : 'The response is not valid'
}
