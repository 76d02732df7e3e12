import { AUTH_METHODS, MCP_SCOPES } from '../../../../contract/mcp/authorization-server.ts'
import type { PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'

/** Clients compare exactly this text with the URL that the user entered. */
export const mcpUrl = (baseUrl: string) => `${baseUrl}/mcp`

export async function readResourceMetadata({ origin: { baseUrl } }: PublicContext) {
  return {
    resource: mcpUrl(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: [...MCP_SCOPES],
    bearer_methods_supported: ['header' as const],
    resource_name: 'Atrium',
    resource_documentation: `${baseUrl}/docs`,
  }
}

export async function readServerMetadata({ origin: { baseUrl } }: PublicContext) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/authorize`,
    token_endpoint: `${baseUrl}/token`,
    registration_endpoint: `${baseUrl}/register`,
    revocation_endpoint: `${baseUrl}/revoke`,
    response_types_supported: ['code' as const],
    response_modes_supported: ['query' as const],
    grant_types_supported: ['authorization_code' as const, 'refresh_token' as const],
    code_challenge_methods_supported: ['S256' as const],
    token_endpoint_auth_methods_supported: [...AUTH_METHODS],
    revocation_endpoint_auth_methods_supported: [...AUTH_METHODS],
    scopes_supported: [...MCP_SCOPES],
    client_id_metadata_document_supported: true as const,
    authorization_response_iss_parameter_supported: true as const,
    service_documentation: `${baseUrl}/docs`,
  }
}

/** For the `resource` parameter (RFC 8707). Some clients add a slash. */
export function isOwnResource(resource: string, baseUrl: string): boolean {
  if (!URL.canParse(resource)) return false
  const { href } = new URL(resource)
  const own = new URL(mcpUrl(baseUrl)).href
  return href === own || href === `${own}/`
}

export type GrantAccess = 'read' | 'write'

/** Ignores unknown scopes, as RFC 6749 allows. The response names the granted ones. */
export const requestedAccess = (scope: string | undefined): GrantAccess =>
  scope?.split(' ').includes('mcp:write') ? 'write' : 'read'

export const grantScope = (access: GrantAccess): string =>
  access === 'write' ? 'mcp:read mcp:write' : 'mcp:read'

/** The reason is OAuth's error code, which `errors: 'oauth-server'` sends as `error`. */
export const refusal = (reason: string, message: string) =>
  new ApiError('BAD_REQUEST', message, { details: { reason } })

/** Per RFC 6749 and RFC 7591, the client then registers again. */
export const invalidClient = (message: string, isBasic: boolean) =>
  new ApiError('UNAUTHORIZED', message, {
    details: { reason: 'invalid_client' },
    headers: isBasic ? { 'www-authenticate': 'Basic realm="atrium"' } : {},
  })
