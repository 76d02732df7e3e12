import type { security } from '../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { isWorkspaceVisible } from '../../organizations/membership/membership.ts'
import { updateSessionWorkspace } from './queries.ts'

export async function updateProfile(
  ctx: Context,
  { name, language, ...settings }: InputOf<typeof security.updateProfile>,
) {
  const change = {
    name: name ?? null,
    // Otherwise emails would be in English until the next sign-in.
    language: language === null ? (ctx.origin.language ?? null) : language,
    settings,
    now: ctx.now(),
  }
  const row = (await updateProfileOf(ctx.sql, ctx.caller.userId, change)) ?? raise(notFound('User'))
  const { defaultProjectVisibility = 'team' } = row.settings
  const { id, email } = row
  return { id, name: row.name, email, language: row.language, settings: { defaultProjectVisibility } }
}

/** Keeps the session and its step-up window: only the active workspace changes. */
export async function switchWorkspace(
  ctx: Context,
  { organizationId, workspaceId }: InputOf<typeof security.switch>,
) {
  const { userId, credentialId } = ctx.caller
  return ctx.transaction(async ({ sql }) => {
    if (!(await lockMembership(sql, organizationId, userId))) throw notFound('Organization')
    const activeWorkspaceId = await findVisibleWorkspace(sql, organizationId, userId, workspaceId ?? null)
    if (workspaceId && !activeWorkspaceId) throw notFound('Workspace')
    await updateSessionWorkspace(sql, organizationId, activeWorkspaceId, { id: credentialId, userId })
    return { organizationId, workspaceId: activeWorkspaceId }
  })
}

interface ProfileRow {
  id: string
  name: string
  email: string
  language: Language | null
  settings: { defaultProjectVisibility?: 'team' | 'private' }
}

async function updateProfileOf(
  sql: Sql,
  userId: string,
  change: { name: string | null; language: Language | null | undefined; settings: object; now: Date },
) {
  const [row] = await sql<ProfileRow[]>`
    update users set name = coalesce(${change.name}, name), settings = settings || ${sql.json(change.settings as never)},
      language = ${change.language === undefined ? sql`language` : change.language}, updated_at = ${change.now}
    where id = ${userId} returning id, name, email, language, settings`
  return row ?? null
}

/** Held until the switch commits: a concurrent removal from the organization waits for it. */
async function lockMembership(sql: Sql, orgId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select from memberships where org_id = ${orgId} and user_id = ${userId} for key share`
  return rows.length > 0
}

/** The given workspace if visible to the user. With null, the default, else the oldest visible one. */
async function findVisibleWorkspace(
  sql: Sql,
  orgId: string,
  userId: string,
  workspaceId: string | null,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select w.id from memberships m join workspaces w on ${isWorkspaceVisible(sql)}
    where m.org_id = ${orgId} and m.user_id = ${userId}
      and (${workspaceId}::uuid is null or w.id = ${workspaceId})
    order by w.id is not distinct from m.default_workspace_id desc, w.created_at, w.id limit 1`
  return row?.id ?? null
}
