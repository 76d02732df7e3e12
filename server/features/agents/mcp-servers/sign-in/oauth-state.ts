import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'

/** The part of the metadata that a sign-in and a refresh need. The rest can have any size, and is not stored. */
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

/** Null if even this part is too large. */
export function storedMetadata(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata | null {
  const stored = Object.fromEntries(
    STORED_FIELDS.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
  ) as AuthorizationServerMetadata
  return Buffer.byteLength(JSON.stringify(stored)) > STORED_BYTES_MAX ? null : stored
}

/** The metadata of the authorization server of an MCP server, and the client of this server there. No secrets. */
export interface OAuthClientState {
  clientId?: string
  /** The client was registered by this server, for this redirect URI. Absent for one that an admin entered. */
  registeredFor?: string
  authorizationServer?: string
  metadata?: AuthorizationServerMetadata
  /** The resource indicator of the MCP server. */
  resource?: string
  scope?: string
}

export interface Tokens {
  access: string
  /** Null if the authorization server issued none. */
  refresh: string | null
}
