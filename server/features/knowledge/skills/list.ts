import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { skills } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { patternOf } from '../../files/files/files.ts'

type SkillItem = z.output<typeof skills.list.output>['items'][number]

/** By name, which is unique. Reads all agents once, and a search all skills: quotas limit both. */
export async function listSkills(ctx: Context, { limit, cursor, q }: InputOf<typeof skills.list>) {
  const { sql, vault } = ctx
  const { orgId } = ctx.caller
  const list = JSON.stringify(['skills', orgId, q])
  const after = decodeCursor(vault, list, cursor)
  const rows = await sql<SkillItem[]>`
    with page as materialized (
      select s.* from skills s
      where s.org_id = ${orgId} ${after === null ? sql`` : sql`and s.name > ${after}`}
        ${q === undefined ? sql`` : sql`and s.search_key like ${patternOf(q)}`}
      order by s.name limit ${limit + 1}
    ), used as materialized (
      select e.id, count(*)::int as count from agents a
      cross join lateral (
        select v.settings from agent_versions v
        where v.org_id = ${orgId} and v.agent_id = a.id and v.version = a.version limit 1
      ) v
      cross join lateral jsonb_array_elements_text(v.settings -> 'skills') e (id)
      where a.org_id = ${orgId} and a.archived_at is null group by e.id
    )
    select s.id, s.name, s.description, s.file_count as "fileCount", s.size, s.version, s.created_at as "createdAt",
      s.updated_at as "updatedAt", coalesce(u.count, 0) as "agentCount"
    from page s left join used u on u.id = s.id::text
    order by s.name`
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(vault, list, last.name) : null }
}
