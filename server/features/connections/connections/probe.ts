import type { Outbound } from '../../../outbound/outbound.ts'
import { type ConnectionTarget, sendRequest, valueAt } from '../connectors/connectors.ts'
import type { Account } from './queries.ts'

export type Failure = Extract<Awaited<ReturnType<typeof sendRequest>>, { ok: false }>['failure']

export type Probe =
  | { ok: true; account: Account; kept: Record<string, string> }
  | { ok: false; failure: Failure }

export async function probe(outbound: Outbound, target: ConnectionTarget): Promise<Probe> {
  try {
    const discovered = await discover(outbound, target)
    if (!discovered.ok) return discovered
    const { kept } = discovered
    const checked = await checkLive(outbound, { ...target, kept })
    return checked.ok ? { ok: true, account: checked.account, kept } : checked
  } catch (error) {
    // Unusable values, or a malformed response.
    const message = error instanceof Error ? error.message.slice(0, 300) : 'The response isn’t as expected'
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

type LiveCheck = { ok: true; account: Account } | { ok: false; failure: Failure }

const TEXT_MAX = 300

async function checkLive(outbound: Outbound, target: ConnectionTarget): Promise<LiveCheck> {
  const { request, account, isSkipped } = target.definition.check
  if (isSkipped) return { ok: true, account: { id: null, name: null, email: null, avatarUrl: null } }
  const template = typeof request === 'function' ? request(target.config) : request
  const exchange = await sendRequest(outbound, target, template)
  if (!exchange.ok) return exchange
  const { body } = exchange.answer
  const at = (path: string | undefined) => (path === undefined ? null : textOf(valueAt(body, path)))
  const avatarUrl = at(account.avatarUrl)
  return {
    ok: true,
    account: {
      id: at(account.id),
      name: at(account.name),
      email: at(account.email),
      avatarUrl: avatarUrl?.startsWith('https://') ? avatarUrl : null,
    },
  }
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return String(value).replaceAll('\0', '').slice(0, TEXT_MAX) || null
}
