import { type SKILL_CHANGES, SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { toSearchKey } from '../../../database/name-keys.ts'
import { agentsNaming } from '../../agents/agents/agents.ts'
import type { SkillContent, SkillRow } from './records.ts'

const select = (sql: Sql, orgId: string, conditions: Fragment) => sql<SkillRow[]>`
  select s.id, s.version, v.content, s.file_count as "fileCount", s.size, s.created_at as "createdAt",
    s.updated_at as "updatedAt",
    (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]')
      from (${agentsNaming(sql, orgId, 'skills')}) a where a.named = s.id::text) as agents
  from skills s join skill_versions v on v.org_id = s.org_id and v.skill_id = s.id and v.version = s.version
  where s.org_id = ${orgId} ${conditions}`

export async function findSkill(sql: Sql, orgId: string, id: string): Promise<SkillRow | null> {
  const [row] = await select(sql, orgId, sql`and s.id = ${id}`)
  return row ?? null
}

export async function hasSkill(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`select from skills where org_id = ${orgId} and id = ${id}`
  return rows.length > 0
}

/** Reads after locking: the version may have changed while waiting. */
export async function lockSkill(sql: Sql, orgId: string, id: string): Promise<SkillRow | null> {
  await sql`select from skills where org_id = ${orgId} and id = ${id} for no key update`
  return findSkill(sql, orgId, id)
}

export async function findIdByName(sql: Sql, orgId: string, name: string) {
  const [row] = await sql<{ id: string; version: number }[]>`
    select id, version from skills where org_id = ${orgId} and name = ${name}`
  return row ?? null
}

export interface NewVersion {
  id: string
  version: number
  change: (typeof SKILL_CHANGES)[number]
  restoredFrom: number | null
  content: SkillContent
  by: string
  now: Date
}

export async function insertSkill(sql: Sql, orgId: string, version: NewVersion): Promise<boolean> {
  const { id, by, now, content } = version
  const { name, description, searchKey, fileCount, size } = listFieldsOf(content)
  const rows = await sql`
    insert into skills (org_id, id, name, description, search_key, file_count, size, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${description}, ${searchKey}, ${fileCount}, ${size}, ${by}, ${now}, ${now})
    on conflict (org_id, name) do nothing returning id`
  if (rows.length > 0) await insertVersion(sql, orgId, version)
  return rows.length > 0
}

/** The skill must be locked. Deletes contents that only older versions have. */
export async function updateSkill(sql: Sql, orgId: string, version: NewVersion): Promise<void> {
  const { id, now } = version
  const { name, description, searchKey, fileCount, size } = listFieldsOf(version.content)
  await sql`
    update skills set name = ${name}, description = ${description}, search_key = ${searchKey},
      file_count = ${fileCount}, size = ${size}, version = ${version.version}, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
  await insertVersion(sql, orgId, version)
  const { count } = await sql`
    delete from skill_versions
    where org_id = ${orgId} and skill_id = ${id} and version <= ${version.version - SKILL_LIMITS.versions}`
  if (count > 0)
    await sql`
      delete from skill_files f where f.org_id = ${orgId} and f.skill_id = ${id} and not exists (
        select from skill_versions v cross join jsonb_array_elements(v.content -> 'files') e
        where v.org_id = ${orgId} and v.skill_id = ${id} and e ->> 'hash' = f.hash)`
}

/**
 * Lowers trust for active runs if their starter outranks the new version's author, because they read it from now on.
 */
export const lowerTrustOfRuns = (
  sql: Sql,
  orgId: string,
  skillId: string,
  author: { userId: string; role: string },
) => sql`
  update runs r set trust = 'verified', trust_reason = 'skill' from memberships m, agent_versions v
  where r.org_id = ${orgId} and r.status in ('queued', 'running', 'waiting') and r.agent_id is not null
    and r.trust = 'trusted' and r.created_by <> ${author.userId}
    and v.org_id = r.org_id and v.agent_id = r.agent_id and v.version = r.agent_version
    and v.settings -> 'skills' ? ${skillId}::text
    and m.org_id = r.org_id and m.user_id = r.created_by and role_rank(m.role) > role_rank(${author.role})`

const listFieldsOf = ({ name, description, files }: SkillContent) => ({
  name,
  description,
  searchKey: toSearchKey(`${name}\n${description}`),
  fileCount: files.length,
  size: files.reduce((sum, { size }) => sum + size, 0),
})

async function insertVersion(sql: Sql, orgId: string, row: NewVersion): Promise<void> {
  const { id, version, change, restoredFrom, content, by, now } = row
  await sql`
    insert into skill_versions (org_id, skill_id, version, change, restored_from, content, changed_by, created_at)
    values (${orgId}, ${id}, ${version}, ${change}, ${restoredFrom}, ${sql.json(content as never)}, ${by}, ${now})`
}

export async function deleteSkill(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from skills where org_id = ${orgId} and id = ${id}`
}

export async function insertFile(
  sql: Sql,
  orgId: string,
  id: string,
  hash: string,
  content: Buffer,
): Promise<void> {
  await sql`
    insert into skill_files (org_id, skill_id, hash, content) values (${orgId}, ${id}, ${hash}, ${content})
    on conflict do nothing`
}

export async function findFile(sql: Sql, orgId: string, id: string, hash: string): Promise<Buffer | null> {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from skill_files where org_id = ${orgId} and skill_id = ${id} and hash = ${hash}`
  return row?.content ?? null
}
