import * as openid from 'openid-client'
import { z } from 'zod'
import type { OAuthClient } from '../../../config/oauth-clients.ts'
import { type OAuthProvider, TIMEOUT_S } from './oauth-provider.ts'

const User = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub speaks plain OAuth 2: who somebody is has to be asked from its API. */
export function githubProvider(client: OAuthClient): OAuthProvider {
  const config = configurationOf(client)
  const api = apiOf(client.url)

  const ask = async <T>(schema: z.ZodType<T>, path: string, token: string): Promise<T> => {
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const answer = await openid.fetchProtectedResource(
      config,
      token,
      new URL(api + path),
      'GET',
      null,
      headers,
    )
    if (!answer.ok) throw new Error(`GitHub answered ${path} with ${answer.status}`)
    return schema.parse(await answer.json())
  }

  return {
    id: client.provider,
    name: client.name,
    async begin(redirectUri, { state, verifier }) {
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish(returned, { state, verifier }) {
      const checks = { expectedState: state, pkceCodeVerifier: verifier }
      const { access_token } = await openid.authorizationCodeGrant(config, returned, checks)
      const user = await ask(User, '/user', access_token)
      const emails = await ask(Emails, '/user/emails', access_token)
      const primary = emails.find((email) => email.primary)
      return {
        subject: `${client.url} ${user.id}`,
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        name: user.name || user.login,
      }
    },
  }
}

function configurationOf({ url, clientId, clientSecret }: OAuthClient): openid.Configuration {
  const server = {
    issuer: `${url}/login/oauth`,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
  }
  const config = new openid.Configuration(server, clientId, clientSecret)
  config.timeout = TIMEOUT_S
  if (url.startsWith('http:')) openid.allowInsecureRequests(config)
  return config
}

/** A GitHub of one's own has its API under the same address. */
const apiOf = (url: string) => (url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`)
