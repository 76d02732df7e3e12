import type { Role } from '../../../contract/accounts/accounts.ts'
import type { RequiredRole } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { requireRole } from '../../endpoint/role.ts'
import { notFound, raise } from '../../errors.ts'
import * as queries from './queries.ts'

/**
 * Makes whatever changes the people or workspaces of an organization follow each other, and asks again what the caller
 * may do: somebody who was demoted or removed while waiting does nothing more. Answers their role of now.
 */
export async function lockOrganization(ctx: Context, least?: RequiredRole): Promise<Role> {
  const { orgId, userId } = ctx.caller
  await queries.lockOrganization(ctx.sql, orgId)
  const role = (await queries.findRole(ctx.sql, orgId, userId)) ?? raise(notFound('Organization'))
  requireRole(least, { role })
  return role
}
