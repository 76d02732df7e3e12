import type { Logger } from 'pino'
import type { mcpServers } from '../../../../../contract/agents/mcp-servers.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, PublicContext } from '../../../../context.ts'
import { hasRole } from '../../../../endpoint/permit.ts'
import { reply } from '../../../../endpoint/route.ts'
import { consumeFlow } from '../../../../oauth/flow.ts'
import { connectAndStore } from '../check.ts'
import { loadMcp } from '../connection/connect.ts'
import { guardedFetch } from '../connection/guarded-fetch.ts'
import { findServer, type ServerRow } from '../queries.ts'
import { FLOW_PROVIDER, type SignInFlow, signInRedirectUri } from './start.ts'
import { updateSignedIn } from './token-queries.ts'
import { openClientInformation, sealTokens } from './tokens.ts'

const LIMITS = { bytesMax: 1_048_576, timeoutMs: 20_000 }

type Problem = 'expired' | 'access_denied' | 'wrong_issuer' | 'failed'

/** Failures redirect to the dashboard with a code, never with the authorization server's text. */
export const finishSignIn =
  (log: Logger) =>
  async (ctx: PublicContext<'outbound' | 'vault'>, query: InputOf<typeof mcpServers.callback>) => {
    const { state } = query
    const callback = { provider: FLOW_PROVIDER, state, browserSecret: ctx.origin.flowSecret }
    const flow = await consumeFlow<SignInFlow>(ctx, callback)
    if (!flow || !ctx.caller || !isStarter(ctx.caller, flow)) return redirect(null, 'expired')
    const server = await findServer(ctx.sql, flow.orgId, flow.serverId)
    if (!server || server.url !== flow.url || server.oauth.metadata?.issuer !== flow.issuer)
      return redirect(flow.serverId, 'expired')
    const { code, iss, error } = query as Record<string, unknown>
    const mcp = await loadMcp()
    const guarded = guardedFetch(ctx.outbound, LIMITS)
    try {
      mcp.validateAuthorizationResponseIssuer({
        iss: typeof iss === 'string' ? iss : undefined,
        expectedIssuer: flow.issuer,
        issParameterSupported: server.oauth.metadata.authorization_response_iss_parameter_supported === true,
      })
      if (error !== undefined)
        return redirect(server.id, error === 'access_denied' ? 'access_denied' : 'failed')
      const issued = await mcp.exchangeAuthorization(server.oauth.authorizationServer!, {
        metadata: server.oauth.metadata,
        clientInformation: openClientInformation(ctx.vault, server),
        authorizationCode: String(code),
        ...(typeof iss === 'string' && { iss }),
        codeVerifier: flow.verifier,
        redirectUri: signInRedirectUri(ctx),
        ...(server.oauth.resource && { resource: server.oauth.resource }),
        fetchFn: guarded.fetch,
      })
      await store(ctx, ctx.caller, server, sealTokens(ctx.vault, server.id, issued, ctx.now()))
    } catch (failure) {
      const isMixUp = failure instanceof mcp.IssuerMismatchError
      const reason = failure instanceof mcp.OAuthError ? failure.code : (failure as Error).name
      log.warn({ server: server.id, reason }, 'sign-in to an MCP server failed')
      return redirect(server.id, isMixUp ? 'wrong_issuer' : 'failed')
    } finally {
      guarded.end()
    }
    const signedIn = await findServer(ctx.sql, flow.orgId, server.id)
    if (signedIn) await connectAndStore(ctx, flow.orgId, signedIn)
    return redirect(server.id, null)
  }

/** Same session and organization, and still an admin. */
const isStarter = (caller: Caller, { sessionId, orgId }: SignInFlow) =>
  caller.via === 'session' &&
  caller.credentialId === sessionId &&
  caller.orgId === orgId &&
  hasRole('admin', caller)

const store = (
  ctx: PublicContext,
  caller: Caller,
  { id, name, oauth }: ServerRow,
  tokens: { sealed: string; expiresAt: Date | null },
) =>
  ctx.transaction(async (inside) => {
    await updateSignedIn(inside.sql, caller.orgId, id, { ...tokens, by: caller.userId, now: ctx.now() })
    const details = { name, issuer: oauth.metadata!.issuer }
    await recordAudit(inside, { action: 'mcp-server.signed-in', by: caller, target: id, details })
  })

const redirect = (serverId: string | null, problem: Problem | null) => {
  const query = problem ? `?error=${problem}` : '?signed-in=true'
  return reply(null, { redirect: `/mcp-servers${serverId ? `/${serverId}` : ''}${query}`, flow: 'ended' })
}
