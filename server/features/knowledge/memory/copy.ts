import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import type { Draft } from './records.ts'
import { putMemory } from './save.ts'
import { personOf } from './writer.ts'

/** The memory of a project by key; proposals, which no person has checked, are not part of it. */
export const listProjectMemory = (sql: Sql, orgId: string, projectId: string) => sql<
  (Draft & { id: string })[]
>`
  select id, key, content, tags from memories
  where org_id = ${orgId} and space_id = ${projectId} and status = 'active' order by key collate "C"`

/** Copies the memory of a project to a new project, as texts of the caller. */
export async function copyMemory(ctx: Context, from: string, to: string): Promise<void> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const now = ctx.now()
  const originals = await sql<{ id: string }[]>`
    select id from memories
    where org_id = ${orgId} and space_id = ${from} and status = 'active' order by key collate "C"`
  const originalIds = originals.map(({ id }) => id)
  if (originalIds.length === 0) return
  await ctx.quotas.reserve(sql, orgId, { memories: originalIds.length })
  await sql`
    with ids as materialized (
      select * from unnest(${originalIds}::uuid[], ${originalIds.map(() => newId())}::uuid[]) as pair (old, new)
    ), copied as (
      insert into memories (org_id, id, project_id, key, content, tags, source, status, written_by, created_at, updated_at)
      select m.org_id, i.new, ${to}, m.key, m.content, m.tags, 'person', 'active', ${userId}, ${now}, ${now}
      from ids i join memories m on m.org_id = ${orgId} and m.id = i.old
      returning id, key, content, tags
    )
    insert into memory_versions (org_id, memory_id, version, change, key, content, tags, source, written_by, created_at)
    select ${orgId}, id, 1, 'imported', key, content, tags, 'person', ${userId}, ${now} from copied`
}

/** Saves texts that a person restores. In the order of keys, so that two restores do not deadlock. */
export async function restoreMemory(ctx: Context, projectId: string, items: readonly Draft[]): Promise<void> {
  const reason = { writer: personOf(ctx), change: 'imported' as const }
  for (const { key, content, tags } of items.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    await putMemory(ctx, projectId, { key, content, tags }, reason)
}
