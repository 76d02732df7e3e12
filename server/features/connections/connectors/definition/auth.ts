import type { Field } from './fields.ts'

export type Auth = OAuth | ApiKey | { type: 'none' }

/**
 * How an access token or credentials are sent. Strings contain `{credentials.key}` or, for OAuth, `{accessToken}`.
 * `optional`: left out unless the header and its value, or the user, were entered.
 */
export type Send =
  | { header: string; value: string; optional?: true }
  | { basic: { user: string; password: string }; optional?: true }
  | { query: string; value: string }
  /** The base URL or a path contains the credentials, which are removed from everything that is stored. */
  | 'path'

export interface ApiKey {
  type: 'api_key'
  fields: readonly Field[]
  send: Send | readonly Send[]
}

export interface OAuth {
  type: 'oauth'
  /** URLs contain `{config.…}`, each of which has a pattern that keeps the host fixed. */
  authorizeUrl: string
  tokenUrl: string
  /** Default: the token URL. */
  refreshUrl?: string
  revoke?: {
    url: string | ((config: Readonly<Record<string, string>>) => string)
    how: 'form' | 'json' | 'basic-form' | 'bearer' | 'delete'
    field?: string
  }
  /** The page of the provider on which a client is registered. */
  registerUrl: string
  scopes: { default: readonly string[]; optional?: readonly string[] }
  /** Default: a space. */
  scopeSeparator?: ' ' | ','
  /** Default: `yes`. `no`: the provider refuses requests with PKCE. */
  pkce?: 'required' | 'yes' | 'no'
  /** Default: `post`, in the body. */
  clientAuth?: 'post' | 'basic'
  /** Default: `form`. */
  tokenBody?: 'form' | 'json'
  params?: {
    authorize?: Readonly<Record<string, string>>
    token?: Readonly<Record<string, string>>
    refresh?: Readonly<Record<string, string>>
  }
  /** Parameters that open the account picker. */
  selectAccount?: Readonly<Record<string, string>>
  /** Paths into the token response. Default: the names of RFC 6749. */
  answer?: {
    accessToken?: string
    refreshToken?: string
    expiresIn?: string
    scope?: string
    /** `kept` name → path. */
    keep?: Readonly<Record<string, string>>
    /** An answer with status 200 that is an error. */
    errorWhen?: { path: string; equals: unknown; message: string }
  }
  lifetime: {
    /** Seconds of an access token without `expires_in`; null: it does not expire. */
    access: number | null
    refresh: 'rotates' | 'stays' | 'none'
    /** A refresh token that is not used for this long expires. */
    idleDays?: number
    /** The provider accepts the previous refresh token again for this long. */
    reuseSeconds?: number
  }
  /** Default: `authorization: Bearer`. */
  send?: Send
  /** A check of the callback that the provider signs, besides `state`. */
  callbackProof?: 'shopify'
}
