import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError, badField, conflict } from '../../../errors.ts'
import { listUsable } from '../../connections/connections/connections.ts'
import type { Carrier, OwnedNumber } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'

const SEARCHED_MAX = 5

export interface OwningAccount {
  connectionId: string | null
  carrier: Carrier
  owned: OwnedNumber
}

interface RequestedNumber {
  e164: string
  connectionId: string | undefined
  projectId: string | null
}

export async function findOwningAccount(
  options: TelephonyOptions,
  ctx: Context<'outbound' | 'vault'>,
  requested: RequestedNumber,
): Promise<OwningAccount> {
  const failures: string[] = []
  for (const connectionId of await listCandidates(options, ctx, requested)) {
    const carrier = await openCarrier(options, ctx, ctx.caller.orgId, connectionId)
    const found = await carrier.findNumber(requested.e164)
    if (!found.ok) failures.push(found.failure.message)
    else if (found.value) return { connectionId, carrier, owned: found.value }
  }
  if (failures[0] !== undefined)
    throw new ApiError('PROVIDER_ERROR', `The request to Twilio failed: ${failures[0]}`)
  throw badField('body.phoneNumber', 'must be a number that the Twilio account owns')
}

async function listCandidates(
  options: TelephonyOptions,
  ctx: Context,
  { connectionId, projectId }: RequestedNumber,
): Promise<(string | null)[]> {
  const { orgId, userId } = ctx.caller
  const usable = await listUsable(ctx.sql, orgId, { userId, projectId, slugs: ['twilio'] })
  if (connectionId !== undefined) {
    if (usable.some(({ id }) => id === connectionId)) return [connectionId]
    throw badField('body.connectionId', 'must be a connection to Twilio that you can use')
  }
  const working = usable.filter(({ status }) => status === 'active').map(({ id }) => id)
  const all = [
    ...working.slice(0, SEARCHED_MAX),
    ...((await mayUseServerAccount(options, ctx)) ? [null] : []),
  ]
  if (all.length > 0) return all
  // Opening a broken one throws the reason.
  if (usable[0]) return [usable[0].id]
  throw conflict(
    options.accounts.twilio === null
      ? 'No Twilio account can be used: connect one under Connections'
      : 'This server’s Twilio account is for its operators’ organizations: connect your own under Connections',
  )
}

/**
 * Only operators and their organizations. Others could take a number that the operator bought for a third organization,
 * and call at the operator's expense.
 */
export async function mayUseServerAccount(
  { accounts }: Pick<TelephonyOptions, 'accounts'>,
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
): Promise<boolean> {
  if (accounts.twilio === null) return false
  return caller.operator || isOfOperators(sql, caller.orgId)
}

/** An operator owns the organization, or it's the server's only one. */
async function isOfOperators(sql: Sql, orgId: string): Promise<boolean> {
  const [row] = await sql<[{ isAllowed: boolean }]>`
    select exists (
        select from memberships m join users u on u.id = m.user_id
        where m.org_id = ${orgId} and m.role = 'owner' and u.is_operator)
      or not exists (select from organizations o where o.id <> ${orgId}) as "isAllowed"`
  return row.isAllowed
}
