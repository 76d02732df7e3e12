import type { Outbound } from '../../../outbound/outbound.ts'
import { type ConnectionTarget, type Failure, sendRequest, valueAt } from '../connectors/connectors.ts'
import type { Account } from './queries.ts'

export type LiveCheck = { ok: true; account: Account } | { ok: false; failure: Failure }

const TEXT_MAX = 300

/** Checks with the provider whether it accepts the credentials, and reads the account that they belong to. */
export async function checkLive(outbound: Outbound, target: ConnectionTarget): Promise<LiveCheck> {
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
