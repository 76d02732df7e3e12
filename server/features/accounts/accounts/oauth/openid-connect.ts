import type { OAuthClient } from '../../../../config/oauth-clients.ts'
import { type Claims, createOAuthClient } from '../../../../oauth/oauth-client.ts'
import type { ExternalIdentity, IdentityProvider } from './identity-provider.ts'

/** Any OpenID Connect issuer, Google and Microsoft included. */
export function openIdProvider(registration: OAuthClient): IdentityProvider {
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

/** The tenant of personal Microsoft accounts, whose email addresses Microsoft has verified. */
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

/** The administrator of any tenant can write any value into `email`, so that claim alone proves nothing. */
const isVerifiedByMicrosoft = ({ tid, xms_edov }: Claims) => tid === MICROSOFT_PERSONAL || isTrue(xms_edov)

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'
