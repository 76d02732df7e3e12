import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { findMe } from './me-queries.ts'

/** The user, organization and credential of the caller, for a terminal to display. */
export async function readMe(ctx: Context) {
  const { orgId, userId, workspaceId, via, scopes, credentialId, role } = ctx.caller
  const keyId = via === 'key' ? credentialId : null
  const me = (await findMe(ctx.sql, orgId, userId, workspaceId, keyId)) ?? raise(notFound('User'))
  return {
    ...me,
    role,
    via: keyId ? ('key' as const) : ('session' as const),
    scopes: scopes === 'all' ? null : [...scopes],
  }
}
