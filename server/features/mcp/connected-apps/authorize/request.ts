import {
  isLoopbackUri,
  isSameRedirectUri,
  redirectTargetOf,
} from '../../../../../contract/mcp/redirect-uri.ts'
import type { PublicContext } from '../../../../context.ts'
import { badField } from '../../../../errors.ts'
import { type Client, hostOfClient } from '../clients/client.ts'
import type { ClientDocuments } from '../clients/client-document.ts'
import { loadClient } from '../clients/load-client.ts'
import { isOwnResource } from '../metadata.ts'
import { refusal } from '../oauth-refusal.ts'
import { type GrantAccess, requestedAccess } from '../scope.ts'

export interface AuthorizationRequest {
  client: Client
  redirectUri: string
  challenge: string
  access: GrantAccess
  /** Why the request cannot be approved, as OAuth reports it to the client. */
  problem: { error: string; description: string } | null
  /** The URL that passes a response on to the client. */
  respond: (response: Record<string, string>) => string
}

const PARAMETERS = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const

/** The SHA-256 of a verifier, in base64url. */
const CHALLENGE = /^[\w-]{43}$/

/**
 * Parses and checks the query with which an app opened `/authorize`. Throws if the client or the redirect URI is not
 * valid: then nothing may be sent to that URI, not even an error.
 */
export async function readRequest(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'outbound' | 'origin'>,
  documents: ClientDocuments,
  query: string,
): Promise<AuthorizationRequest> {
  const params = parseQuery(query)
  const client = await loadClient(ctx, documents, params.client_id ?? raiseMissing('client_id'))
  const redirectUri = params.redirect_uri ?? raiseMissing('redirect_uri')
  if (!client.redirectUris.some((registered) => isSameRedirectUri(registered, redirectUri))) {
    throw refusal('invalid_redirect_uri', 'The redirect URI is not one that the app registered')
  }
  const { state } = params
  const iss = ctx.origin.baseUrl
  return {
    client,
    redirectUri,
    challenge: params.code_challenge ?? '',
    access: requestedAccess(params.scope),
    problem: problemOf(params, iss),
    respond: (response) => {
      const parameters = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss })
      return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
    },
  }
}

type QueryParameters = Partial<Record<(typeof PARAMETERS)[number], string>>

function parseQuery(query: string): QueryParameters {
  const parameters = new URLSearchParams(query)
  const params: QueryParameters = {}
  for (const name of PARAMETERS) {
    const values = parameters.getAll(name)
    if (values.length > 1) throw refusal('invalid_request', `${name} must not be sent twice`)
    // A parameter without a value counts as absent, per RFC 6749.
    if (values[0]) params[name] = values[0]
  }
  if (query.includes('\0')) throw badField('body.request', 'must not contain NUL')
  return params
}

function problemOf(params: QueryParameters, baseUrl: string): AuthorizationRequest['problem'] {
  const problem = (error: string, description: string) => ({ error, description })
  if (params.response_type !== 'code')
    return problem('unsupported_response_type', 'response_type must be code')
  if (params.response_mode !== undefined && params.response_mode !== 'query')
    return problem('invalid_request', 'response_mode must be query')
  if (params.code_challenge === undefined) return problem('invalid_request', 'code_challenge is required')
  if (params.code_challenge_method !== 'S256')
    return problem('invalid_request', 'code_challenge_method must be S256')
  if (!CHALLENGE.test(params.code_challenge))
    return problem('invalid_request', 'code_challenge must be a SHA-256 hash in base64url')
  if (params.resource !== undefined && !isOwnResource(params.resource, baseUrl))
    return problem('invalid_target', `resource must be ${baseUrl}/mcp`)
  return null
}

const raiseMissing = (name: string): never => {
  throw refusal('invalid_request', `${name} is required`)
}

/** The app as the consent page shows it. */
export const describeApp = ({ client, redirectUri }: AuthorizationRequest) => ({
  name: client.name,
  host: hostOfClient(client, redirectUri),
  identified: client.host !== null,
  local: isLoopbackUri(redirectUri),
  returnsTo: redirectTargetOf(redirectUri),
})
