import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { reply } from '../../../endpoint/route.ts'
import { forbidden } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { requireEdit, resolveProjectId } from './access.ts'
import { type ListedMemory, listMemories } from './list-queries.ts'
import { audit } from './record-change.ts'
import type { Draft } from './records.ts'
import { putMemory } from './save.ts'
import { personWriter } from './writer.ts'

const PAGE = 200

export async function exportMemory(
  ctx: Context,
  { projectId, format, byteRequest }: InputOf<typeof memory.export>,
) {
  const project = await resolveProjectId(ctx, { projectId })
  const isJson = format === 'json'
  const headers = {
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="memory.${isJson ? 'json' : 'md'}"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const rows = readRows(ctx, project ?? ctx.caller.orgId)
  const content = isJson ? asJson(project, rows) : asMarkdown(rows)
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

async function* readRows({ sql, caller }: Context, spaceId: string): AsyncGenerator<ListedMemory> {
  const filter = { spaceId, scope: undefined, status: 'active' as const }
  let after: { updatedAt: string; id: string } | null = null
  for (let hasMore = true; hasMore; ) {
    const rows: ListedMemory[] = await listMemories(sql, caller, filter, { after, limit: PAGE })
    yield* rows
    after = rows.at(-1) ?? after
    hasMore = rows.length === PAGE
  }
}

async function* asJson(projectId: string | null, rows: AsyncIterable<ListedMemory>): AsyncGenerator<string> {
  const head = { scope: projectId === null ? 'org' : 'project', projectId }
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`
  let separator = '\n'
  for await (const { key, content, tags } of rows) {
    yield separator + JSON.stringify({ key, content, tags })
    separator = ',\n'
  }
  yield '\n]}\n'
}

async function* asMarkdown(rows: AsyncIterable<ListedMemory>): AsyncGenerator<string> {
  yield '# Memory\n'
  for await (const { key, content, tags, updatedAt } of rows) {
    yield `\n## ${key}\n\n${content}\n\n`
    yield `*${[`Changed ${updatedAt}`, ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : [])].join('; ')}*\n`
  }
}

export const importMemory = (
  ctx: Context<'quotas'>,
  { scope, projectId, items }: InputOf<typeof memory.import>,
) =>
  ctx.transaction(async (inside) => {
    if (ctx.caller.via === 'run')
      throw forbidden('Only a person can import memory', { reason: 'person_required' })
    const project = await resolveProjectId(inside, { scope, projectId })
    await requireEdit(inside, project)
    const counts = { created: 0, replaced: 0, unchanged: 0 }
    // In key order, so two imports don't deadlock.
    for (const item of items.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const { outcome } = await putMemory(inside, project, item, {
        writer: personWriter(inside),
        change: 'imported',
      })
      counts[outcome] += 1
    }
    const target = { id: project ?? ctx.caller.orgId, projectId: project, key: `${items.length} memories` }
    await audit(inside, 'memory.imported', target)
    return counts
  })

/** Sorted by key. Excludes proposals, which nobody has checked. */
export const listProjectMemory = (sql: Sql, orgId: string, projectId: string) => sql<
  (Draft & { id: string })[]
>`
  select id, key, content, tags from memories
  where org_id = ${orgId} and space_id = ${projectId} and status = 'active' order by key collate "C"`

export async function copyMemory(ctx: Context<'quotas'>, from: string, to: string): Promise<void> {
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

/** In key order, so two restores don't deadlock. */
export async function restoreMemory(
  ctx: Context<'quotas'>,
  projectId: string,
  items: readonly Draft[],
): Promise<void> {
  const reason = { writer: personWriter(ctx), change: 'imported' as const }
  for (const { key, content, tags } of items.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    await putMemory(ctx, projectId, { key, content, tags }, reason)
}
