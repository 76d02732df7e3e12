import type { Logger } from 'pino'
import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { consumeFlow } from '../../../../oauth/flow.ts'
import { findDefinition, hasOwnRedirect } from '../../connectors/connectors.ts'
import { failPending } from '../queries.ts'
import { complete, type Problem } from './complete.ts'
import { type ConnectionFlow, FLOW_PROVIDER, isStarter } from './flow.ts'

/** Failures redirect with a code, never provider text. */
export const finishOAuth =
  (connectors: ConnectorsConfig, log: Logger) =>
  async (ctx: PublicContext<'outbound' | 'vault'>, input: InputOf<typeof connections.callback>) => {
    const query = singleTexts(input)
    const { state } = query
    if (state === undefined) return redirect(null, 'expired')
    const callback = { provider: FLOW_PROVIDER, state, browserSecret: ctx.origin.flowSecret }
    const flow = await consumeFlow<ConnectionFlow>(ctx, callback)
    if (!flow) return redirect(null, 'expired')
    if (!ctx.caller || !isStarter(ctx.caller, flow)) return redirect(null, 'other_session')
    const fail = async (problem: Problem) => {
      const reason = REASONS[problem]
      if (reason) await failPending(ctx.sql, flow.orgId, flow.connectionId, reason, ctx.now())
      return redirect(flow, problem)
    }
    if (!(await isAtOwnRedirect(ctx, flow, query.connector))) return fail('refused')
    const { code, error } = query
    if (error !== undefined || code === undefined)
      return fail(error === undefined || !DENIALS.includes(error) ? 'refused' : 'access_denied')
    const outcome = await complete(ctx, connectors, flow, { code, query })
    if (outcome.problem === null) return redirect(flow, null)
    const { connectionId: connection, slug } = flow
    log.warn({ connection, slug, ...outcome }, 'a connection’s authorization did not complete')
    return fail(outcome.problem)
  }

const REASONS: Partial<Record<Problem, string>> = {
  access_denied: 'The authorization was declined at the provider',
  refused: 'The provider refused the authorization',
  unavailable: 'The provider did not respond',
  not_configured: 'The OAuth client was removed',
}

const DENIALS = ['access_denied', 'user_denied', 'user_cancelled_login', 'user_cancelled_authorize']

/** A repeated parameter counts as absent: two readers could choose different values. */
const singleTexts = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

async function isAtOwnRedirect(
  ctx: PublicContext,
  { orgId, slug }: ConnectionFlow,
  connector: string | undefined,
): Promise<boolean> {
  const definition = await findDefinition(ctx.sql, orgId, slug)
  return !definition || connector === (hasOwnRedirect(definition) ? slug : undefined)
}

const redirect = (flow: ConnectionFlow | null, problem: Problem | null) => {
  const parameters = new URLSearchParams({
    ...(flow && { connection: flow.connectionId }),
    ...(problem && { error: problem }),
    ...(flow?.returnTo && { returnTo: flow.returnTo }),
  })
  return reply(null, { redirect: `/integrations/connected?${parameters}` })
}
