import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { updateSessionWorkspace } from '../member-queries.ts'
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

/** Keeps the session and its step-up window: only the active workspace changes. */
export async function switchWorkspace(
  ctx: Context,
  { organizationId, workspaceId }: InputOf<typeof security.switch>,
) {
  const { userId, credentialId } = ctx.caller
  return ctx.transaction(async ({ sql }) => {
    if (!(await queries.lockMembership(sql, organizationId, userId))) throw notFound('Organization')
    const activeWorkspaceId = await queries.findVisibleWorkspace(
      sql,
      organizationId,
      userId,
      workspaceId ?? null,
    )
    if (workspaceId && !activeWorkspaceId) throw notFound('Workspace')
    await updateSessionWorkspace(sql, organizationId, activeWorkspaceId, { id: credentialId, userId })
    return { organizationId, workspaceId: activeWorkspaceId }
  })
}
