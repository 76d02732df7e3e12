import type { OAuthClient, OAuthTokens } from '../../../../oauth/oauth-client.ts'

/** A user as the provider describes them. */
export interface ExternalIdentity {
  /** Unique and permanent: the issuer and its user id, since two issuers may use the same id. */
  subject: string
  email: string | null
  /** Whether the provider has verified that the email address belongs to the user. */
  emailVerified: boolean
  name: string | null
}

/** A provider that users can sign in through. One file per protocol, all of this shape. */
export interface IdentityProvider {
  id: string
  name: string
  client: OAuthClient
  readIdentity: (tokens: OAuthTokens) => Promise<ExternalIdentity>
}
