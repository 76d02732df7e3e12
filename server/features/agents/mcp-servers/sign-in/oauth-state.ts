import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'

/** What sign-in and refresh need. The rest can have any size and isn't stored. */
const STORED_FIELDS = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'response_types_supported',
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
] as const
const STORED_BYTES_MAX = 16_384

/** Returns null if even this part is too large. */
export function storedMetadata(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata | null {
  const stored = Object.fromEntries(
    STORED_FIELDS.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
  ) as AuthorizationServerMetadata
  return Buffer.byteLength(JSON.stringify(stored)) > STORED_BYTES_MAX ? null : stored
}

/** No secrets. */
export interface OAuthClientState {
  clientId?: string
  /** Absent if an admin entered the client. */
  registeredFor?: string
  authorizationServer?: string
  metadata?: AuthorizationServerMetadata
  resource?: string
  scope?: string
}

export interface Tokens {
  access: string
  /** Null if the authorization server issued none. */
  refresh: string | null
}
