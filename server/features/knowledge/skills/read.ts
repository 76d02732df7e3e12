import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { skills } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { toLikePattern } from '../../../database/name-keys.ts'
import { notFound, raise } from '../../../errors.ts'
import { agentsNaming } from '../../agents/agents/agents.ts'
import { getSkill } from './change.ts'
import { findFile } from './queries.ts'
import type { SkillContent } from './records.ts'
import { decodeText } from './skill-text.ts'

type SkillItem = z.output<typeof skills.list.output>['items'][number]

/** Reads all agents, and a search reads all skills. Quotas limit both. */
export async function listSkills(ctx: Context<'vault'>, { limit, cursor, q }: InputOf<typeof skills.list>) {
  const { sql, vault } = ctx
  const { orgId } = ctx.caller
  const list = JSON.stringify(['skills', orgId, q])
  const after = decodeCursor(vault, list, cursor)
  const rows = await sql<SkillItem[]>`
    with page as materialized (
      select s.* from skills s
      where s.org_id = ${orgId} ${after === null ? sql`` : sql`and s.name > ${after}`}
        ${q === undefined ? sql`` : sql`and s.search_key like ${toLikePattern(q)}`}
      order by s.name limit ${limit + 1}
    ), used as materialized (
      select a.named as id, count(*)::int as count from (${agentsNaming(sql, orgId, 'skills')}) a group by a.named
    )
    select s.id, s.name, s.description, s.file_count as "fileCount", s.size, s.version, s.created_at as "createdAt",
      s.updated_at as "updatedAt", coalesce(u.count, 0) as "agentCount"
    from page s left join used u on u.id = s.id::text
    order by s.name`
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(vault, list, last.name) : null }
}

export async function readFile(ctx: Context, { id, path }: InputOf<typeof skills.file>) {
  const { content } = await getSkill(ctx, { id })
  const file = content.files.find((each) => each.path === path) ?? raise(notFound('File'))
  const bytes = (await findFile(ctx.sql, ctx.caller.orgId, id, file.hash))!
  const text = decodeText(bytes)
  const { size, isText } = file
  return { path, size, isText, text, base64: text === null ? bytes.toString('base64') : null }
}

export interface ReadSkill {
  text: string | null
  files: { path: string; size: number; isText: boolean }[]
}

interface AgentRun {
  orgId: string
  agentId: string
  agentVersion: number
}

export async function readSkill(
  sql: Sql,
  run: AgentRun,
  { name, path }: { name: string; path: string | null },
): Promise<ReadSkill | null> {
  const { orgId, agentId, agentVersion } = run
  const [row] = await sql<{ id: string; content: SkillContent }[]>`
    select s.id, v.content from skills s
    join skill_versions v on v.org_id = s.org_id and v.skill_id = s.id and v.version = s.version
    where s.org_id = ${orgId} and s.name = ${name} and exists (
      select from agent_versions a
      where a.org_id = ${orgId} and a.agent_id = ${agentId} and a.version = ${agentVersion}
        and a.settings -> 'skills' @> to_jsonb(s.id::text))`
  if (!row) return null
  const { files, instructions } = row.content
  if (path === null) return { text: instructions, files }
  const file = files.find((each) => each.path === path)
  const bytes = file && (await findFile(sql, orgId, row.id, file.hash))
  return { text: bytes ? decodeText(bytes) : null, files }
}

export const listForPrompt = (sql: Sql, orgId: string, ids: readonly string[]) => sql<
  { name: string; description: string }[]
>`
  select name, description from skills where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) order by name`

export async function listExistingSkillIds(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }[]>`
    select id from skills where org_id = ${orgId} and id = any(${[...ids]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}
