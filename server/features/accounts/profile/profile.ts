import type { security } from '../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import * as queries from './profile-queries.ts'

export async function updateProfile(
  ctx: Context,
  { name, ...settings }: InputOf<typeof security.updateProfile>,
) {
  const change = { name: name ?? null, settings, now: ctx.now() }
  const row = (await queries.updateProfileOf(ctx.sql, ctx.caller.userId, change)) ?? raise(notFound('User'))
  const { defaultProjectVisibility = 'team' } = row.settings
  return { id: row.id, name: row.name, email: row.email, settings: { defaultProjectVisibility } }
}

/** The session stays the same, step-up window included: it is the same person, somewhere else. */
export async function switchPlace(
  ctx: Context,
  { organizationId, workspaceId }: InputOf<typeof security.switch>,
) {
  const { userId, credentialId } = ctx.caller
  return ctx.transaction(async ({ sql }) => {
    if (!(await queries.lockMembership(sql, organizationId, userId))) throw notFound('Organization')
    const place = await queries.findVisibleWorkspace(sql, organizationId, userId, workspaceId ?? null)
    if (workspaceId && !place) throw notFound('Workspace')
    await queries.updateSessionPlace(sql, organizationId, credentialId, place)
    return { organizationId, workspaceId: place }
  })
}
