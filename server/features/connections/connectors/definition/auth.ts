import type { Field } from './fields.ts'

export type Auth = OAuth | ApiKey | { type: 'none' }

/**
 * Strings contain `{credentials.key}` or, for OAuth, `{accessToken}`. `optional`: left out unless the header and its
 * value, or the user, were entered.
 */
export type Send =
  | { header: string; value: string; optional?: true }
  | { basic: { user: string; password: string }; optional?: true }
  | { query: string; value: string }
  /** In the base URL or path, and removed from everything stored. */
  | 'path'

export interface ApiKey {
  type: 'api_key'
  fields: readonly Field[]
  send: Send | readonly Send[]
}

export interface OAuth {
  type: 'oauth'
  /** Each `{config.…}` has a pattern that keeps the host fixed. */
  authorizeUrl: string
  tokenUrl: string
  /** Default: the token URL. */
  refreshUrl?: string
  revoke?: {
    url: string | ((config: Readonly<Record<string, string>>) => string)
    how: 'form' | 'json' | 'basic-form' | 'bearer' | 'delete'
    field?: string
  }
  registerUrl: string
  scopes: { default: readonly string[]; optional?: readonly string[] }
  /** Default: a space. */
  scopeSeparator?: ' ' | ','
  /** Default: `yes`. `no`: the provider refuses PKCE. */
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
  /** Default: RFC 6749 names. */
  answer?: {
    accessToken?: string
    refreshToken?: string
    expiresIn?: string
    scope?: string
    /** `kept` name → path. */
    keep?: Readonly<Record<string, string>>
    /** An error response with status 200. */
    errorWhen?: { path: string; equals: unknown; message: string }
  }
  lifetime: {
    /** In seconds, without `expires_in`. Null: never expires. */
    access: number | null
    refresh: 'rotates' | 'stays' | 'none'
    idleDays?: number
    /** The previous refresh token still works this long. */
    reuseSeconds?: number
  }
  /** Default: `authorization: Bearer`. */
  send?: Send
  /** A provider signature on the callback, besides `state`. */
  callbackProof?: 'shopify'
}
