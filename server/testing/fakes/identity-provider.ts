import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'atrium', secret: 'a secret between the two' }

/** `sub` is the account id. */
export interface Claims {
  sub: string
  [claim: string]: unknown
}

/** Signs in the account the test names without interaction or, for browser tests, shows a consent page. */
export async function startIdentityProvider() {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) =>
    response.writeHead(503).end()
  let decision: Claims | 'denied' = { sub: 'unknown' }
  let requiresConsent = false
  const accounts = new Map<string, Claims>()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    /** Redirect URIs depend on the app's port. */
    serve(redirectUris: string[]) {
      const provider = createProvider(url, redirectUris, accounts)
      const callback = provider.callback()
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        if (requiresConsent && !request.url.includes('?')) return response.end(CONSENT_PAGE)
        const result =
          decision === 'denied' || request.url.endsWith('?cancel')
            ? { error: 'access_denied', error_description: 'secret words of the provider' }
            : { login: { accountId: decision.sub } }
        await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      }
    },
    /** Applies to browsers without a session at the provider. */
    signInAs(claims: Claims) {
      accounts.set(claims.sub, claims)
      decision = claims
    },
    deny() {
      decision = 'denied'
    },
    requireConsent() {
      requiresConsent = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const CONSENT_PAGE =
  '<!doctype html><title>Directory</title><link rel="icon" href="data:,"><h1>Directory</h1><a href="?allow">Allow</a> <a href="?cancel">Cancel</a>'

function createProvider(url: string, redirectUris: string[], accounts: Map<string, Claims>): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
  return new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['for tests'] },
    claims: {
      openid: ['sub', 'tid', 'xms_edov'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600, RefreshToken: 600 },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...accounts.get(sub), sub }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}
