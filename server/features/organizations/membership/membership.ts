import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { RequiredRole } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { requireRole } from '../../../endpoint/role.ts'
import { notFound, raise } from '../../../errors.ts'
import { findRole, lockOrganizationRow } from './queries.ts'

export { findRole, lockOrganizationRow, reassignDefaultWorkspaces } from './queries.ts'
export { requireEditor } from './require-editor.ts'
export { canEditSomewhere, isWorkspaceVisible } from './workspace-visibility.ts'

/**
 * Serializes changes to the members and workspaces of an organization, and reads the caller's role again under the
 * lock: a caller who was demoted or removed while waiting is refused. Returns the current role.
 */
export async function lockOrganization(ctx: Context, required?: RequiredRole): Promise<Role> {
  const { orgId, userId } = ctx.caller
  await lockOrganizationRow(ctx.sql, orgId)
  const role = (await findRole(ctx.sql, orgId, userId)) ?? raise(notFound('Organization'))
  requireRole(required, { role })
  return role
}
