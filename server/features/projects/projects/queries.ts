import { TRASH_DAYS } from '../../../../contract/projects/trash-days.ts'
import type { Sql } from '../../../database/database.ts'
import { toSearchKey, toSortKey } from '../../../database/name-keys.ts'
import { columns, type ProjectRow } from './records.ts'

export type ProjectFields = Pick<
  ProjectRow,
  'name' | 'description' | 'prompt' | 'emoji' | 'visibility' | 'tags' | 'metadata'
>

export interface NewProject extends ProjectFields {
  id: string
  /** A copied prompt's author. Defaults to the project's creator. */
  promptBy?: string | null | undefined
  slug: string
  workspaceId: string
  now: Date
}

/** Returns null if the slug is taken, also by a concurrent insert. */
export async function insertProject(sql: Sql, orgId: string, userId: string, project: NewProject) {
  const { id, slug, workspaceId, name, description, prompt, emoji, visibility, tags, now } = project
  const metadata = sql.json(project.metadata as never)
  const promptBy = project.promptBy ?? userId
  const [row] = await sql<ProjectRow[]>`
    insert into projects as p (org_id, id, workspace_id, user_id, name, slug, search_key, description, prompt,
      prompt_by, emoji, visibility, tags, metadata, sort_key, active_at, changed_at, created_at, updated_at)
    values (${orgId}, ${id}, ${workspaceId}, ${userId}, ${name}, ${slug}, ${toSearchKey(name)}, ${description},
      ${prompt}, ${promptBy}, ${emoji}, ${visibility}, ${tags}, ${metadata}, ${toSortKey(name)}, ${now}, ${now}, ${now},
      ${now})
    on conflict (org_id, slug) do nothing
    returning ${columns(sql)}, 'edit' as access`
  return row ?? null
}

/** Workspace lists include the project unless it's private. After the project's folder, this is one write, otherwise two. */
export async function insertProjectWorkspace(
  sql: Sql,
  orgId: string,
  { projectId, workspaceId, now }: { projectId: string; workspaceId: string; now: Date },
): Promise<void> {
  await sql`
    insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at)
    select org_id, id, ${workspaceId}, visibility = 'team', sort_key, active_at, ${now} from projects
    where org_id = ${orgId} and id = ${projectId}
    on conflict do nothing`
}

export async function listTakenSlugs(sql: Sql, orgId: string, slugs: string[]): Promise<string[]> {
  const rows = await sql<{ slug: string }[]>`
    select slug from projects where org_id = ${orgId} and slug = any(${slugs})`
  return rows.map(({ slug }) => slug)
}

/** A null role means not a member. */
export async function findWorkspaceMembership(sql: Sql, orgId: string, userId: string, workspaceId: string) {
  const [row] = await sql<{ role: string | null; visibility: ProjectRow['visibility'] | null }[]>`
    select m.role, u.settings ->> 'defaultProjectVisibility' as visibility
    from workspaces w join users u on u.id = ${userId}
    left join workspace_members m on m.org_id = w.org_id and m.workspace_id = w.id and m.user_id = u.id
    where w.org_id = ${orgId} and w.id = ${workspaceId} and w.deleted_at is null`
  return row ?? null
}

/** Ensures that each project gets exactly one folder. */
export async function lockWithFolders(sql: Sql, orgId: string, ids: string[]) {
  await sql`
    select from projects where org_id = ${orgId} and id = any(${ids}::uuid[]) order by id for no key update`
  // Reads after locking, because a concurrent transaction may have created them.
  return sql<{ id: string; name: string; folderId: string | null }[]>`
    select p.id, p.name, d.id as "folderId" from projects p
    left join folders d on d.org_id = p.org_id and d.project_id = p.id and cardinality(d.path) = 2
    where p.org_id = ${orgId} and p.id = any(${ids}::uuid[]) and p.deleted_at is null`
}

export async function updateProject(
  sql: Sql,
  orgId: string,
  project: ProjectRow & { by: string; now: Date },
) {
  const { id, name, description, prompt, emoji, visibility, status, tags, access, by, now } = project
  const metadata = sql.json(project.metadata as never)
  const [row] = await sql<Omit<ProjectRow, 'access'>[]>`
    update projects p set name = ${name}, search_key = ${toSearchKey(name)}, sort_key = ${toSortKey(name)},
      description = ${description},
      prompt = ${prompt}, prompt_by = case when p.prompt is distinct from ${prompt} then ${by}::uuid else p.prompt_by end,
      emoji = ${emoji}, visibility = ${visibility}, status = ${status}, tags = ${tags},
      metadata = ${metadata}, version = version + 1, updated_at = ${now}
    where p.org_id = ${orgId} and p.id = ${id} returning ${columns(sql)}`
  return { ...row!, access }
}

/**
 * Lowers trust for active runs if their starter outranks the new prompt's author, because their next step contains it.
 */
export const lowerTrustOfRuns = (
  sql: Sql,
  orgId: string,
  projectId: string,
  author: { userId: string; role: string },
) => sql`
  update runs r set trust = 'verified', trust_reason = 'project_prompt' from memberships m
  where r.org_id = ${orgId} and r.project_id = ${projectId} and r.status in ('queued', 'running', 'waiting')
    and r.agent_id is not null and r.trust = 'trusted' and r.created_by <> ${author.userId}
    and m.org_id = r.org_id and m.user_id = r.created_by and role_rank(m.role) > role_rank(${author.role})`

/** Returns false if the slug is taken, also by a concurrent transaction. */
export async function claimSlug(sql: Sql, orgId: string, id: string, slug: string): Promise<boolean> {
  const [row] = await sql<{ isClaimed: boolean }[]>`
    select claim_project_slug(${orgId}, ${id}, ${slug}) as "isClaimed"`
  return row!.isClaimed
}

export async function updateDeleted(
  sql: Sql,
  orgId: string,
  id: string,
  { deletedAt, now }: { deletedAt: Date | null; now: Date },
) {
  const [row] = await sql<Omit<ProjectRow, 'access'>[]>`
    update projects p set deleted_at = ${deletedAt},
      purge_at = ${deletedAt}::timestamptz + make_interval(days => ${TRASH_DAYS}), version = version + 1, updated_at = ${now}
    where p.org_id = ${orgId} and p.id = ${id} returning ${columns(sql)}`
  return row!
}

export const updateListed = (sql: Sql, orgId: string, id: string, listed: boolean) =>
  sql`update project_workspaces set listed = ${listed} where org_id = ${orgId} and project_id = ${id}`

export async function deleteSharing(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from project_shares where org_id = ${orgId} and project_id = ${id}`
  await sql`delete from project_invites where org_id = ${orgId} and project_id = ${id}`
}

export async function deleteSharingByOthers(
  sql: Sql,
  orgId: string,
  id: string,
  userId: string,
): Promise<void> {
  await sql`
    delete from project_shares where org_id = ${orgId} and project_id = ${id} and created_by <> ${userId}`
  await sql`
    delete from project_invites where org_id = ${orgId} and project_id = ${id} and created_by <> ${userId}`
}
