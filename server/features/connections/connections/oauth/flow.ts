import type { Caller, Context } from '../../../../context.ts'
import { startFlow } from '../../../../oauth/flow.ts'
import { sha256 } from '../../../../security/digest.ts'
import { redirectUriOf } from '../../connectors/connectors.ts'
import type { ConnectionRow } from '../queries.ts'
import type { OAuthProvider } from './provider.ts'

/** The provider of the flow: connection and connector are part of its data. */
export const FLOW_PROVIDER = 'connection'

/** Stored with the flow: only the session that started it can complete it, for this connection alone. */
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

/**
 * The URL at the provider where the person authorizes the connection, and the secret for the cookie of this browser.
 */
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
    redirect_uri: redirectUriOf(ctx, definition),
    ...(scope && { scope }),
    ...auth.params?.authorize,
    ...(selectAccount && auth.selectAccount),
    // Last: a definition cannot replace them.
    state: secrets.state,
    ...(auth.pkce !== 'no' && {
      code_challenge: sha256(secrets.verifier).toString('base64url'),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, browserSecret }
}

/** Whether the caller started the flow: in the same session, as the same person, in the same organization. */
export const isStarter = (caller: Caller, { sessionId, userId, orgId }: ConnectionFlow) =>
  caller.via === 'session' &&
  caller.credentialId === sessionId &&
  caller.userId === userId &&
  caller.orgId === orgId
