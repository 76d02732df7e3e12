import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'atrium', secret: 'a secret between the two' }

/** Claims of whoever signs in next; `sub` is who they are to the provider. */
export interface Claims {
  sub: string
  [claim: string]: unknown
}

/**
 * A real OpenID provider on this machine. It lets in whoever the test says without asking them anything, or, where there
 * is somebody in front of a browser, asks them.
 */
export async function startIdentityProvider() {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {}
  let answer: Claims | 'denies' = { sub: 'nobody' }
  let isAsking = false
  const people = new Map<string, Claims>()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    /** Begins to serve, once it is known where browsers are to be sent back to. */
    serve(redirectUris: string[]) {
      const provider = createProvider(url, redirectUris, people)
      const callback = provider.callback()
      handle = async (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return callback(request, response)
        if (isAsking && !request.url.includes('?')) return response.end(QUESTION)
        const result =
          answer === 'denies' || request.url.endsWith('?cancel')
            ? { error: 'access_denied', error_description: 'secret words of the provider' }
            : { login: { accountId: answer.sub } }
        await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
      }
    },
    /** Who signs in from now on, in a browser that has not been here yet. */
    letIn(claims: Claims) {
      people.set(claims.sub, claims)
      answer = claims
    },
    deny() {
      answer = 'denies'
    },
    /** From now on with a page in between, where one goes on or cancels. */
    ask() {
      isAsking = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const QUESTION =
  '<!doctype html><title>Directory</title><link rel="icon" href="data:,"><h1>Directory</h1><a href="?allow">Allow</a> <a href="?cancel">Cancel</a>'

function createProvider(url: string, redirectUris: string[], people: Map<string, Claims>): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
  return new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
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
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ ...people.get(sub), sub }),
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
