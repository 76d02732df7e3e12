import { z } from 'zod'
import type { OAuthClient } from '../../../../config/oauth-clients.ts'
import {
  type Claims,
  createOAuthClient,
  type OAuthTokens,
  type OAuthClient as ProviderClient,
} from '../../../../oauth/oauth-client.ts'

/** One file per protocol, all with this shape. */
export interface IdentityProvider {
  id: string
  name: string
  client: ProviderClient
  readIdentity: (tokens: OAuthTokens) => Promise<ExternalIdentity>
}

export interface ExternalIdentity {
  /** Unique and permanent: the issuer and its user id, since two issuers may use the same id. */
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

export const createIdentityProviders = (clients: OAuthClient[]): IdentityProvider[] =>
  clients.map((client) => (client.provider === 'github' ? githubProvider(client) : openIdProvider(client)))

/** Any OpenID Connect issuer, including Google and Microsoft. */
function openIdProvider(registration: OAuthClient): IdentityProvider {
  const { provider, name, url, clientId, clientSecret } = registration
  const client = createOAuthClient({
    server: { protocol: 'openid-connect', issuer: url },
    clientId,
    clientSecret,
    scope: 'openid email profile',
  })
  return {
    id: provider,
    name,
    client,
    async readIdentity({ accessToken, claims }) {
      const { sub, email } = claims!
      const profile = email === undefined ? await client.userInfo(accessToken, sub) : {}
      return identityOf(registration, { ...profile, ...claims! })
    },
  }
}

/** Tenant for personal Microsoft accounts. Microsoft has verified their email addresses. */
const MICROSOFT_PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad'

function identityOf({ provider }: OAuthClient, claims: Claims): ExternalIdentity {
  return {
    subject: `${claims.iss} ${claims.sub}`,
    email: textOf(claims.email),
    emailVerified:
      isTrue(claims.email_verified) || (provider === 'microsoft' && isVerifiedByMicrosoft(claims)),
    name: textOf(claims.name) ?? textOf(claims.preferred_username),
  }
}

/** Any tenant's administrator can write any value into `email`, so that claim alone proves nothing. */
const isVerifiedByMicrosoft = ({ tid, xms_edov }: Claims) => tid === MICROSOFT_PERSONAL || isTrue(xms_edov)

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

const User = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() })
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub implements plain OAuth 2 without ID tokens: the identity comes from its REST API. */
function githubProvider({ provider, name, url, clientId, clientSecret }: OAuthClient): IdentityProvider {
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

/** GitHub Enterprise Server has its API under the site's URL. */
const apiOf = (url: string) => (url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`)
