import { z } from 'zod'
import { anonymous, endpoint } from '../endpoint.ts'
import { text } from '../fields.ts'
import { redirectUriProblem } from './redirect-uri.ts'

/** The MCP server's authorization server: RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207 and 9728. */

export const MCP_SCOPES = ['mcp:read', 'mcp:write'] as const
export const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const
const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const
const RESPONSE_TYPES = ['code'] as const
const REDIRECT_URIS_MAX = 10

const withExamples = (...examples: unknown[]) => ({ examples })
const A_CLIENT = withExamples('0190d8a4-1c7a-7cc0-8a1e-3f4f6f3b9d10')
const A_REDIRECT = withExamples('com.example.app:/callback')
const A_TOKEN = withExamples('atrium_mcp_9Qk…')
const oauth = { cors: true, errors: 'oauth-server' } as const

const RedirectUri = text(1, 2000, { trim: false }).superRefine((uri, context) => {
  const problem = redirectUriProblem(uri)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

const resourceMetadata = (
  path: '/.well-known/oauth-protected-resource' | '/.well-known/oauth-protected-resource/mcp',
) =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Get MCP server metadata',
    description:
      'Protected resource metadata (RFC 9728): the MCP server’s URL, and where clients get tokens for it.',
    access: anonymous(),
    output: z.object({
      resource: z.string().meta(withExamples('…/mcp')),
      authorization_servers: z.array(z.string()),
      scopes_supported: z.array(z.enum(MCP_SCOPES)),
      bearer_methods_supported: z.array(z.literal('header')),
      resource_name: z.string().meta(withExamples('Atrium')),
      resource_documentation: z.string().meta(withExamples('…/docs')),
    }),
    ...oauth,
  })

const serverMetadata = (
  path: '/.well-known/oauth-authorization-server' | '/.well-known/openid-configuration',
) =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Get authorization server metadata',
    description: 'Authorization server metadata (RFC 8414).',
    access: anonymous(),
    output: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string().meta(withExamples('…/authorize')),
      token_endpoint: z.string().meta(withExamples('…/token')),
      registration_endpoint: z.string().meta(withExamples('…/register')),
      revocation_endpoint: z.string().meta(withExamples('…/revoke')),
      response_types_supported: z.array(z.enum(RESPONSE_TYPES)),
      response_modes_supported: z.array(z.literal('query')),
      grant_types_supported: z.array(z.enum(GRANT_TYPES)),
      code_challenge_methods_supported: z.array(z.literal('S256')),
      token_endpoint_auth_methods_supported: z.array(z.enum(AUTH_METHODS)),
      revocation_endpoint_auth_methods_supported: z.array(z.enum(AUTH_METHODS)),
      scopes_supported: z.array(z.enum(MCP_SCOPES)),
      client_id_metadata_document_supported: z.literal(true),
      authorization_response_iss_parameter_supported: z.literal(true),
      service_documentation: z.string().meta(withExamples('…/docs')),
    }),
    ...oauth,
  })

const ClientCredentials = z.object({
  client_id: text(1, 2000).optional().meta(A_CLIENT),
  client_secret: text(1, 200).optional(),
})

export const authorizationServer = {
  resourceMetadata: resourceMetadata('/.well-known/oauth-protected-resource/mcp'),
  rootResourceMetadata: resourceMetadata('/.well-known/oauth-protected-resource'),
  metadata: serverMetadata('/.well-known/oauth-authorization-server'),
  openIdMetadata: serverMetadata('/.well-known/openid-configuration'),
  register: endpoint({
    method: 'POST',
    path: '/register',
    summary: 'Register an OAuth client',
    description:
      'Dynamic client registration (RFC 7591) for clients without a client ID metadata document. A client that is not used for 30 days is deleted, and then gets UNAUTHORIZED (`invalid_client`) at `/token`.',
    access: anonymous(),
    body: z.looseObject({
      redirect_uris: z
        .array(RedirectUri, { error: 'must be a list of URIs' })
        .min(1, 'must have at least one URI')
        .max(REDIRECT_URIS_MAX, `must have at most ${REDIRECT_URIS_MAX} URIs`)
        .describe('https, a loopback host with any port, or an app’s private scheme')
        .meta(withExamples(['com.example.app:/callback'])),
      client_name: z
        .string()
        .max(1000, 'must be at most 1,000 characters')
        .optional()
        .meta(withExamples('Example app')),
      token_endpoint_auth_method: z
        .enum(AUTH_METHODS, { error: `must be one of ${AUTH_METHODS.join(', ')}` })
        .default('client_secret_basic'),
      grant_types: z
        .array(z.string())
        .default(['authorization_code'])
        .refine((types) => types.includes('authorization_code'), 'must include authorization_code'),
      response_types: z
        .array(z.string())
        .default(['code'])
        .refine((types) => types.includes('code'), 'must include code'),
    }),
    output: z.object({
      client_id: z.string(),
      client_id_issued_at: z.int(),
      client_secret: z.string().optional(),
      client_secret_expires_at: z.int().optional().describe('0 if it does not expire'),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.enum(GRANT_TYPES)),
      response_types: z.array(z.enum(RESPONSE_TYPES)),
      token_endpoint_auth_method: z.enum(AUTH_METHODS),
      scope: z.string(),
    }),
    status: 201,
    limit: { name: 'oauth-register', by: 'ip', capacity: 20, perSeconds: 3600 },
    bodyBytesMax: 32_768,
    ...oauth,
  }),
  token: endpoint({
    method: 'POST',
    path: '/token',
    summary: 'Get tokens for the MCP server',
    description:
      'Exchanges a code (with PKCE) or a refresh token. The access token is valid for one hour and only on `/mcp`. A refresh token works once: the same tokens are returned for 60 seconds, later use revokes the connection. A client that does not exist gets UNAUTHORIZED (`invalid_client`).',
    access: anonymous(),
    body: ClientCredentials.extend({
      grant_type: text(1, 200).meta(withExamples('authorization_code')),
      code: text(1, 200).optional(),
      redirect_uri: text(1, 2000, { trim: false }).optional().meta(A_REDIRECT),
      code_verifier: text(1, 200).optional(),
      refresh_token: text(1, 200).optional(),
      scope: text(1, 500).optional().meta(withExamples('mcp:read')),
      resource: text(1, 2000).optional().meta(withExamples('…/mcp')),
    }),
    output: z.object({
      access_token: z.string().meta(A_TOKEN),
      token_type: z.literal('Bearer'),
      expires_in: z.int().meta(withExamples(3600)),
      refresh_token: z.string(),
      scope: z.string().meta(withExamples('mcp:read')),
    }),
    limit: { name: 'oauth-token', by: 'ip', capacity: 120, perSeconds: 60 },
    form: true,
    ...oauth,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/revoke',
    summary: 'Revoke a token',
    description:
      'Token revocation (RFC 7009). Revoking a refresh token ends the connection; revoking an access token ends only that token. An unknown token is not an error; an unknown client gets UNAUTHORIZED.',
    access: anonymous(),
    body: ClientCredentials.extend({
      token: text(1, 200).meta(A_TOKEN),
      token_type_hint: text(1, 200).optional(),
    }),
    output: z.object({}),
    limit: { name: 'oauth-revoke', by: 'ip', capacity: 60, perSeconds: 60 },
    form: true,
    ...oauth,
  }),
}
