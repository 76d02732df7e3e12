import type { Caller, Context } from '../../../../context.ts'
import { startFlow } from '../../../../oauth/flow.ts'
import { sha256 } from '../../../../security/digest.ts'
import { connectorRedirectUri } from '../../connectors/connectors.ts'
import type { ConnectionRow } from '../queries.ts'
import type { OAuthProvider } from './provider.ts'

/** Connection and connector are in the flow's data. */
export const FLOW_PROVIDER = 'connection'

/** Only the session that started it can complete it, for this connection alone. */
export interface ConnectionFlow {
  orgId: string
  userId: string
  sessionId: string
  connectionId: string
  slug: string
  returnTo: string | null
}

export interface FlowOptions {
  selectAccount?: boolean | undefined
  returnTo?: string | undefined
}

/** Also returns the cookie secret. */
export async function startAuthorizationFlow(
  ctx: Context,
  { id, slug }: Pick<ConnectionRow, 'id' | 'slug'>,
  { definition, auth, client, urlOf }: OAuthProvider,
  { selectAccount, returnTo }: FlowOptions,
): Promise<{ url: string; browserSecret: string }> {
  const { orgId, userId, credentialId: sessionId } = ctx.caller
  const data: ConnectionFlow = {
    orgId,
    userId,
    sessionId,
    connectionId: id,
    slug,
    returnTo: returnTo ?? null,
  }
  const { secrets, browserSecret } = await startFlow(
    ctx,
    FLOW_PROVIDER,
    data,
    ctx.origin.flowSecret ?? undefined,
  )
  const url = new URL(urlOf(auth.authorizeUrl))
  const scope = auth.scopes.default.join(auth.scopeSeparator ?? ' ')
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: connectorRedirectUri(ctx, definition),
    ...(scope && { scope }),
    ...auth.params?.authorize,
    ...(selectAccount && auth.selectAccount),
    // Last, so that a definition can't replace them.
    state: secrets.state,
    ...(auth.pkce !== 'no' && {
      code_challenge: sha256(secrets.verifier).toString('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, browserSecret }
}

export const isStarter = (caller: Caller, { sessionId, userId, orgId }: ConnectionFlow) =>
  caller.via === 'session' &&
  caller.credentialId === sessionId &&
  caller.userId === userId &&
  caller.orgId === orgId
