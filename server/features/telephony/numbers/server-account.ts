import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { TelephonyOptions } from '../dependencies.ts'

/**
 * Whether the caller may import numbers of the account of this server: an operator, and the organizations of operators. Another
 * organization could otherwise take a number that the operator bought for a third one, and call at the operator's expense.
 */
export async function mayUseServerAccount(
  { accounts }: Pick<TelephonyOptions, 'accounts'>,
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
): Promise<boolean> {
  if (accounts.twilio === null) return false
  return caller.operator || isOfOperators(sql, caller.orgId)
}

/** An operator owns the organization, or it is the only one of this server. */
async function isOfOperators(sql: Sql, orgId: string): Promise<boolean> {
  const [row] = await sql<[{ isAllowed: boolean }]>`
    select exists (
        select from memberships m join users u on u.id = m.user_id
        where m.org_id = ${orgId} and m.role = 'owner' and u.is_operator)
      or not exists (select from organizations o where o.id <> ${orgId}) as "isAllowed"`
  return row.isAllowed
}
