import { recordAudit } from '../../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Caller, Context, PublicContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { consumeFlow, type FlowSecrets } from '../../../../oauth/flow.ts'
import { requestTokens, type TokenFailure } from '../../../../oauth/token-request.ts'
import { hmac, isSameTag } from '../../../../security/hmac.ts'
import { connectorRedirectUri, findDefinition } from '../../connectors/connectors.ts'
import { probe } from '../probe.ts'
import { type ConnectionRow, findConnection, storeGranted } from '../queries.ts'
import { withLapse } from '../records.ts'
import { markBroken, markWorking } from '../status.ts'
import { sealSecrets, toOpenConnection } from '../target.ts'
import { type ConnectionFlow, FLOW_PROVIDER, isStarter } from './flow.ts'
import { findProvider, type OAuthProvider, tokenEndpoint } from './provider.ts'
import { revokeAtProvider } from './revoke-tokens.ts'
import { compareScopes, type IssuedTokens, readTokens, tokenTimes, toTokenSecrets } from './tokens.ts'

export type Problem =
  | 'expired'
  | 'other_session'
  | 'access_denied'
  | 'not_configured'
  | 'refused'
  | 'unavailable'
  | 'check_failed'
  | 'revoked'

type Flow = ConnectionFlow & FlowSecrets

export interface Callback {
  code: string
  /** Null for a manually entered code. */
  query: Readonly<Record<string, string>> | null
}

/** `problem` is null if the connection works. */
export async function complete(
  ctx: PublicContext<'outbound' | 'vault'>,
  connectors: ConnectorsConfig,
  flow: Flow,
  { code, query }: Callback,
): Promise<{ problem: Problem | null; code?: TokenFailure['code'] }> {
  const deps = { ...ctx, connectors }
  const { orgId, connectionId: id } = flow
  const found = await findConnection(ctx.sql, orgId, id)
  if (!found || found.slug !== flow.slug) return { problem: 'revoked' }
  const row = withLapse(found, ctx.now())
  if (row.status === 'failed') return { problem: 'expired' }
  const definition = await findDefinition(ctx.sql, orgId, row.slug)
  const provider = definition && (await findProvider(deps, orgId, definition, row))
  if (!definition || !provider) return { problem: 'not_configured' }
  if (query && !isVerified(provider, query)) return { problem: 'refused', code: 'bad_signature' }
  const { auth, client } = provider
  const response = await requestTokens(ctx.outbound, tokenEndpoint(provider, 'code'), {
    grant_type: 'authorization_code',
    code,
    redirect_uri: connectorRedirectUri(ctx, definition),
    ...(auth.pkce !== 'no' && { code_verifier: flow.verifier }),
    ...auth.params?.token,
  })
  if (!response.ok)
    return { problem: response.kind === 'transient' ? 'unavailable' : 'refused', code: response.code }
  const tokens = readTokens(auth, response.answer)
  if (!tokens) return { problem: 'refused', code: 'no_access_token' }
  const generation = await storeTokens(ctx, flow, provider, tokens)
  if (generation === null) {
    await revokeAtProvider(ctx.outbound, provider, toTokenSecrets(tokens))
    return { problem: 'revoked' }
  }
  const target = toOpenConnection(
    deps,
    { ...row, kept: tokens.kept, generation },
    definition,
    toTokenSecrets(tokens),
  )
  const probed = await probe(ctx.outbound, target)
  const now = ctx.now()
  if (!probed.ok) {
    const reason = `${definition.name} accepted the authorization, but refuses its first request: ${probed.failure.message}`
    await markBroken(ctx.sql, orgId, { id, generation, status: 'error', reason, retryAt: retryAt(now), now })
    return { problem: 'check_failed' }
  }
  const { account, kept } = probed
  await ctx.transaction(async (inside) => {
    await markWorking(inside.sql, orgId, { id, generation, account, kept, now })
    const by = { orgId, userId: flow.userId, via: 'session' as Caller['via'] }
    const details = { name: definition.name, clientId: client.id }
    await recordAudit(inside, { action: 'connection.established', by, target: id, details })
  })
  return { problem: null }
}

const RETRY_MS = 30_000
const retryAt = (now: Date) => new Date(now.getTime() + RETRY_MS)

function storeTokens(
  ctx: PublicContext<'vault'>,
  flow: Flow,
  { auth, client }: OAuthProvider,
  tokens: IssuedTokens,
) {
  const { orgId, connectionId: id } = flow
  const now = ctx.now()
  return storeGranted(ctx.sql, orgId, {
    id,
    sealed: sealSecrets(ctx.vault, id, toTokenSecrets(tokens)),
    ...compareScopes(auth.scopes.default, tokens.scopes),
    clientId: client.id,
    kept: tokens.kept,
    ...tokenTimes(now, tokens.expiresInS, tokens.refreshToken !== null),
    now,
  })
}

type Query = Readonly<Record<string, string>>

/** Only if the definition requires it. */
function isVerified({ auth, client, hostOf }: OAuthProvider, query: Query): boolean {
  if (auth.callbackProof !== 'shopify') return true
  const { hmac: given = '', ...signed } = query
  return (
    query.shop === hostOf(auth.authorizeUrl) &&
    isSameTag(Buffer.from(given, 'hex'), shopifyTag(client.secret, signed))
  )
}

function shopifyTag(secret: string, query: Query): Buffer {
  const names = Object.keys(query).toSorted()
  const text = new URLSearchParams(names.map((name) => [name, query[name]!])).toString()
  return hmac('sha256', Buffer.from(secret), [text])
}

/** For a browser that can't follow the redirect. Same rules. */
export async function completeByHand(
  ctx: Context<'outbound' | 'vault'>,
  connectors: ConnectorsConfig,
  { id }: ConnectionRow,
  { code, state }: { code: string; state: string },
): Promise<void> {
  const callback = { provider: FLOW_PROVIDER, state, browserSecret: ctx.origin.flowSecret }
  const flow = await consumeFlow<ConnectionFlow>(ctx, callback)
  if (!flow || flow.connectionId !== id || !isStarter(ctx.caller, flow)) throw authorizationFailed('expired')
  const { problem } = await complete(ctx, connectors, flow, { code, query: null })
  if (problem !== null && problem !== 'check_failed') throw authorizationFailed(problem)
}

const MESSAGES: Partial<Record<Problem, string>> = {
  expired:
    'The state doesn’t match an open authorization for this connection in this browser: start it again',
  refused: 'The provider does not accept the code: start the authorization again',
  unavailable: 'The provider does not respond: start the authorization again',
  not_configured: 'The connector no longer has an OAuth client',
  revoked: 'The connection was revoked',
}

const authorizationFailed = (problem: Problem) =>
  new ApiError('BAD_REQUEST', MESSAGES[problem] ?? 'The authorization failed', {
    details: { reason: `oauth_${problem}` },
  })
