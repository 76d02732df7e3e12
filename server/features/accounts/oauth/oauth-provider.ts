/** What a sign-in through a provider carries from its beginning to its end, besides the state. */
export interface Secrets {
  state: string
  nonce: string
  /** For PKCE. */
  verifier: string
}

/** Who somebody is, as a provider sees it. */
export interface ExternalIdentity {
  /** Unique and lasting: the issuer and its own id for them, since another issuer may use the same id. */
  subject: string
  email: string | null
  /** Whether the provider vouches that this address is theirs. */
  emailVerified: boolean
  name: string | null
}

/** A way to sign in through somebody else. One provider, one file, one shape. */
export interface OAuthProvider {
  id: string
  name: string
  /** Where to send the browser. */
  begin: (redirectUri: string, secrets: Secrets) => Promise<URL>
  /** Who came back. Throws whatever the library throws if any check fails. */
  finish: (returned: URL, secrets: Secrets) => Promise<ExternalIdentity>
}

export const TIMEOUT_S = 10
