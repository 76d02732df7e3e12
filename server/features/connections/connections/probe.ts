import type { Outbound } from '../../../outbound/outbound.ts'
import { type ConnectionTarget, type Failure, sendRequest } from '../connectors/connectors.ts'
import { checkLive } from './live-check.ts'
import type { Account } from './queries.ts'

export type Probe =
  | { ok: true; account: Account; kept: Record<string, string> }
  | { ok: false; failure: Failure }

/** The first requests with new credentials, which return values to store and the account. */
export async function probe(outbound: Outbound, target: ConnectionTarget): Promise<Probe> {
  try {
    const discovered = await discover(outbound, target)
    if (!discovered.ok) return discovered
    const { kept } = discovered
    const checked = await checkLive(outbound, { ...target, kept })
    return checked.ok ? { ok: true, account: checked.account, kept } : checked
  } catch (error) {
    // The request cannot be built from the entered values, or the answer has an unexpected form.
    const message = error instanceof Error ? error.message.slice(0, 300) : 'The answer is not as expected'
    return { ok: false, failure: { means: 'failed', code: null, message } }
  }
}

async function discover(
  outbound: Outbound,
  target: ConnectionTarget,
): Promise<{ ok: true; kept: Record<string, string> } | { ok: false; failure: Failure }> {
  const { definition, config, kept } = target
  if (!definition.discover) return { ok: true, kept: { ...kept } }
  const exchange = await sendRequest(outbound, target, definition.discover.request)
  if (!exchange.ok) return exchange
  return { ok: true, kept: { ...kept, ...definition.discover.keep(exchange.answer.body, config) } }
}
