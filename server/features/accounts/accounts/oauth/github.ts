import { z } from 'zod'
import type { OAuthClient } from '../../../../config/oauth-clients.ts'
import { createOAuthClient } from '../../../../oauth/oauth-client.ts'
import type { IdentityProvider } from './identity-provider.ts'

const User = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub implements plain OAuth 2 without ID tokens: the identity comes from its REST API. */
export function githubProvider({
  provider,
  name,
  url,
  clientId,
  clientSecret,
}: OAuthClient): IdentityProvider {
  const client = createOAuthClient({
    server: {
      protocol: 'oauth2',
      issuer: `${url}/login/oauth`,
      authorizationEndpoint: `${url}/login/oauth/authorize`,
      tokenEndpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
    scope: 'read:user user:email',
  })

  const get = async <T>(schema: z.ZodType<T>, path: string, accessToken: string): Promise<T> => {
    const headers = { accept: 'application/vnd.github+json' }
    const response = await client.get(apiOf(url) + path, accessToken, headers)
    if (!response.ok) throw new Error(`GitHub answered ${path} with ${response.status}`)
    return schema.parse(await response.json())
  }

  return {
    id: provider,
    name,
    client,
    async readIdentity({ accessToken }) {
      const user = await get(User, '/user', accessToken)
      const emails = await get(Emails, '/user/emails', accessToken)
      const primary = emails.find((email) => email.primary)
      return {
        subject: `${url} ${user.id}`,
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        name: user.name || user.login,
      }
    },
  }
}

/** GitHub Enterprise Server has its API under the URL of the site. */
const apiOf = (url: string) => (url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`)
