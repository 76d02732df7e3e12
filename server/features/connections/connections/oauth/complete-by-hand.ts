import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { consumeFlow } from '../../../../oauth/flow.ts'
import type { ConnectionRow } from '../queries.ts'
import { complete, type Problem } from './complete.ts'
import { type ConnectionFlow, FLOW_PROVIDER } from './flow.ts'
import { isStarter } from './starter.ts'

/** For a browser that cannot follow the redirect of the provider. The same rules apply as for the callback. */
export async function completeByHand(
  ctx: Context,
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
    'The state does not belong to an open authorization of this connection in this browser: start it again',
  refused: 'The provider does not accept the code: start the authorization again',
  unavailable: 'The provider does not respond: start the authorization again',
  not_configured: 'The connector no longer has an OAuth client',
  revoked: 'The connection was revoked',
}

const authorizationFailed = (problem: Problem) =>
  new ApiError('BAD_REQUEST', MESSAGES[problem] ?? 'The authorization failed', {
    details: { reason: `oauth_${problem}` },
  })
