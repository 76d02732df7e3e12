import { DEVICE_GRANT, type deviceLogin } from '../../../../contract/accounts/device-login.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { findRole } from '../../organizations/membership/membership.ts'
import { type KeyEnvironment, mayCharge, mintKey } from '../api-keys/api-keys.ts'
import { hashDeviceCode, loginStatus, pollableSince } from './authorization.ts'
import * as queries from './queries.ts'

const KEY_NAME_LENGTH_MAX = 120

/** One transaction consumes the login and creates the key. */
export const exchange =
  (environment: KeyEnvironment) =>
  async (ctx: PublicContext<'quotas'>, { device_code, grant_type }: InputOf<typeof deviceLogin.token>) => {
    if (grant_type !== undefined && grant_type !== DEVICE_GRANT) throw refusal('unsupported_grant_type')
    const codeHash = hashDeviceCode(device_code)
    if (await queries.updatePolled(ctx.sql, codeHash, ctx.now(), pollableSince(ctx.now())))
      throw refusal('authorization_pending')

    const key = await ctx.transaction(async (inside) => {
      const login = await queries.updateConsumed(inside.sql, codeHash, ctx.now())
      if (!login) return null
      // The role may have been lowered since the approval.
      const role = await findRole(inside.sql, login.orgId, login.userId)
      if (!role || !mayCharge(login.scopes, role)) throw refusal('access_denied')
      const owner = { orgId: login.orgId, userId: login.userId, via: 'session' as const }
      return mintKey(inside, environment, owner, {
        name: nameOf(login),
        scopes: login.scopes,
        readOnly: login.readOnly,
      })
    })
    if (!key) throw refusal(await reasonOf(ctx, codeHash))
    const { id, name, prefix } = key
    const scope = key.scopes.join(' ')
    return {
      access_token: key.key,
      token_type: 'Bearer' as const,
      scope,
      api_key: { id, name, prefix },
    }
  }

/** Explains why no key is returned. A login still open here was polled too soon. */
async function reasonOf(ctx: PublicContext, codeHash: Buffer): Promise<Refusal> {
  const login = await queries.findByDeviceCode(ctx.sql, codeHash)
  if (!login) return 'invalid_grant'
  return REASONS[loginStatus(login, ctx.now())]
}

const REASONS = {
  pending: 'slow_down',
  approved: 'slow_down',
  denied: 'access_denied',
  expired: 'expired_token',
  consumed: 'invalid_grant',
} as const

const REFUSALS = {
  authorization_pending: 'This device login is not approved yet',
  slow_down: 'Polling too fast: wait 5 seconds longer between requests',
  access_denied: 'The device login was denied, or its approver can no longer grant these scopes',
  expired_token: 'The device login has expired: start a new one',
  invalid_grant: 'The device code is unknown or was already used',
  unsupported_grant_type: `grant_type must be ${DEVICE_GRANT}`,
}
type Refusal = keyof typeof REFUSALS

const refusal = (reason: Refusal) => new ApiError('BAD_REQUEST', REFUSALS[reason], { details: { reason } })

function nameOf({ clientName, hostname }: queries.ConsumedLogin): string {
  const client = clientName ?? 'CLI'
  const name = hostname ? `${client} on ${hostname}` : client
  return [...name].slice(0, KEY_NAME_LENGTH_MAX).join('')
}
