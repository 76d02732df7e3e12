import type { InputOf } from '../../../../contract/endpoint.ts'
import type { connectedApps } from '../../../../contract/mcp/connected-apps.ts'
import { isLoopbackUri, isSameRedirectUri, redirectTarget } from '../../../../contract/mcp/redirect-uri.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { badField, conflict, notFound } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { findRole } from '../../organizations/membership/membership.ts'
import { type Client, type ClientDocuments, hostOfClient } from './client-document.ts'
import { loadClient } from './clients.ts'
import { countGrants, insertGrant, lockUserGrants } from './grant-queries.ts'
import { type GrantAccess, isOwnResource, refusal, requestedAccess } from './oauth-protocol.ts'

const CODE_SECONDS = 60
const DAY_MS = 86_400_000
const GRANTS_MAX = 100

export const preview =
  (documents: ClientDocuments) =>
  async (ctx: Context<'outbound'>, { request }: InputOf<typeof connectedApps.preview>) => {
    const authorization = await readRequest(ctx, documents, request)
    const { problem, access } = authorization
    return {
      app: describeApp(authorization),
      access,
      problem: problem && { ...problem, redirect: authorization.respond(errorOf(problem)) },
    }
  }

/** The grant gives no access until the app exchanges the code. */
export const connect =
  (documents: ClientDocuments) =>
  async (ctx: Context<'outbound'>, input: InputOf<typeof connectedApps.connect>) => {
    const authorization = await readRequest(ctx, documents, input.request)
    if (authorization.problem) throw refusal(authorization.problem.error, authorization.problem.description)
    const { userId, credentialId: sessionId } = ctx.caller
    const orgId = input.organizationId ?? ctx.caller.orgId
    const code = randomToken(32)
    const now = ctx.now()
    const after = (ms: number) => new Date(now.getTime() + ms)
    await ctx.transaction(async (inside) => {
      if (!(await findRole(inside.sql, orgId, userId))) throw notFound('Organization')
      await lockUserGrants(inside.sql, orgId, userId)
      if ((await countGrants(inside.sql, orgId, userId, now)) >= GRANTS_MAX)
        throw conflict(`You have ${GRANTS_MAX} connected apps in this organization: disconnect one first`)
      const id = newId()
      const host = hostOfClient(authorization.client, authorization.redirectUri)
      await insertGrant(inside.sql, orgId, {
        id,
        userId,
        sessionId,
        clientId: authorization.client.id,
        clientName: authorization.client.name,
        clientHost: host,
        access: input.access,
        redirectUri: authorization.redirectUri,
        challenge: authorization.challenge,
        codeHash: sha256(code),
        codeExpiresAt: after(CODE_SECONDS * 1000),
        expiresAt: input.days === null ? null : after(input.days * DAY_MS),
        now,
      })
      const details = { name: authorization.client.name, host, access: input.access }
      await recordAudit(inside, {
        action: 'app.connected',
        by: { orgId, userId, via: 'session' },
        target: id,
        details,
      })
    })
    return { redirect: authorization.respond({ code }) }
  }

export const deny =
  (documents: ClientDocuments) =>
  async (ctx: Context<'outbound'>, { request }: InputOf<typeof connectedApps.deny>) => {
    const authorization = await readRequest(ctx, documents, request)
    const { client, redirectUri } = authorization
    const details = { name: client.name, host: hostOfClient(client, redirectUri) }
    await recordAudit(ctx, { action: 'app.denied', by: ctx.caller, details })
    return { redirect: authorization.respond(errorOf(authorization.problem ?? DENIED)) }
  }

const DENIED = { error: 'access_denied', description: 'The user did not connect the app' }

const errorOf = ({ error, description }: NonNullable<AuthorizationRequest['problem']>) => ({
  error,
  error_description: description,
})

interface AuthorizationRequest {
  client: Client
  redirectUri: string
  challenge: string
  access: GrantAccess
  problem: { error: string; description: string } | null
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

/** A verifier's SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/

/** Throws if the client or redirect URI is invalid: then nothing may be sent to that URI, not even an error. */
async function readRequest(
  ctx: Pick<PublicContext<'outbound'>, 'sql' | 'now' | 'outbound' | 'origin'>,
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
    // Per RFC 6749, a parameter without a value counts as absent.
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

const describeApp = ({ client, redirectUri }: AuthorizationRequest) => ({
  name: client.name,
  host: hostOfClient(client, redirectUri),
  identified: client.host !== null,
  local: isLoopbackUri(redirectUri),
  returnsTo: redirectTarget(redirectUri),
})
