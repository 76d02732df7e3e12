import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Registers clients and allows every sign-in. Replace its metadata to simulate a hostile server. */
export async function startMcpAuthorization(resource: () => string) {
  let alter: (metadata: Record<string, unknown>) => Record<string, unknown> = (metadata) => metadata
  let tokenRequestCount = 0
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = createProvider(url, resource)
  const callback = provider.callback()

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: 'robot' }, consent: {} }
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    }
    if (request.url?.startsWith('/.well-known/')) {
      const metadata = {
        issuer: url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        registration_endpoint: `${url}/reg`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(alter(metadata)))
      return
    }
    if (request.url === '/token') tokenRequestCount++
    return callback(request, response)
  }

  return {
    url,
    tokenRequests: () => tokenRequestCount,
    alter: (next: typeof alter) => {
      alter = next
    },
    isValid: async (token: string | undefined) =>
      token !== undefined && (await provider.AccessToken.find(token)) !== undefined,
    /** The server responds 401 until the token is refreshed. */
    expire: async (token: string) => (await provider.AccessToken.find(token))?.destroy(),
    /** Also makes a refresh fail. */
    revokeAll: async (token: string) => {
      const found = await provider.AccessToken.find(token)
      await provider.Grant.adapter.destroy(found!.grantId!)
      await found?.destroy()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createProvider(url: string, resource: () => string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
  return new Provider(url, {
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['for tests'] },
    scopes: ['openid', 'offline_access', 'tools'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic'],
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: 'tools', accessTokenFormat: 'opaque', accessTokenTTL: 3600 }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 600, Interaction: 600, Grant: 6000, AccessToken: 3600, RefreshToken: 6000 },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope('openid offline_access tools')
      grant.addResourceScope(resource(), 'tools')
      await grant.save()
      return grant
    },
  })
}
