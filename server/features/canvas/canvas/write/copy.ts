import { RUNTIME_KEYS } from '../../../../../contract/canvas/block-fields.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { type BlockFields, FIELD_SQL } from '../records.ts'
import { type TableIds, withTableIds } from '../table-ids.ts'
import { ENTRY_BYTES } from './history-entries.ts'
import { withoutRuntime } from './runtime-keys.ts'

/** To an empty project, with new ids, which it returns by the old ones, and no history. Both must be locked. */
export async function copyCanvas(
  ctx: Context<'quotas'>,
  from: ProjectRow,
  to: ProjectRow,
  { files, outside, tables }: CopiedReferences,
): Promise<ReadonlyMap<string, string>> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const now = ctx.now()
  const items = await listItemIds(sql, orgId, from.id)
  const copy: CanvasCopy = {
    from: from.id,
    to: to.id,
    blocks: withNewIds(items.blocks),
    edges: withNewIds(items.edges),
    files: { old: [...files.keys()], new: [...files.values()] },
    metadata: await listRenamed(sql, orgId, from.id, tables),
    userId: caller.userId,
    now,
  }
  const historyBytes = (await copyBlocks(sql, orgId, copy)) + (await copyEdges(sql, orgId, copy))
  const copies = new Map(copy.blocks.old.map((id, index) => [id, copy.blocks.new[index]!]))
  await markOutside(sql, { orgId, id: to.id }, { blockIds: outside.map((id) => copies.get(id)!), after: 0 })
  const [blocks, edges] = [items.blocks.length, items.edges.length]
  const canvasBytes = from.canvasBytes - (await runtimeBytes(ctx, from.id))
  await ctx.quotas.reserve(sql, orgId, { blocks, history: historyBytes })
  await updateTotals(sql, orgId, to.id, { blocks, edges, canvasBytes, historyBytes, now })
  to.lastActivityAt = now.toISOString()
  return copies
}

interface CopiedReferences {
  files: Map<string, string>
  outside: readonly string[]
  /** The copies’ ids. */
  tables: TableIds
}

/** Metadata of blocks that show a table, or repeat over its rows, with the copies' ids. */
async function listRenamed(
  sql: Sql,
  orgId: string,
  projectId: string,
  tables: CopiedReferences['tables'],
): Promise<RenamedMetadata[]> {
  if (tables.tables.size === 0) return []
  const blocks = await sql<(RenamedMetadata & { type: BlockFields['type'] })[]>`
    select id, type, metadata from blocks
    where org_id = ${orgId} and project_id = ${projectId}
      and (type = 'table' or (type = 'agent' and metadata #>> '{forEach,over,from}' = 'rows'))`
  return blocks.map((block) => {
    const { id, metadata } = withTableIds(block, tables)
    return { id, metadata }
  })
}

interface RenamedMetadata {
  id: string
  metadata: BlockFields['metadata']
}

const withNewIds = (old: string[]): IdPairs => ({ old, new: old.map(() => newId()) })

/** Run state isn't copied. */
async function runtimeBytes({ sql, caller }: Context, projectId: string): Promise<number> {
  const rows = await listAgentMetadata(sql, caller.orgId, projectId)
  const bytesOf = (metadata: object) => Buffer.byteLength(JSON.stringify(metadata))
  return rows.reduce((sum, { metadata }) => {
    const copied = withoutRuntime({ type: 'agent', metadata })
    return sum + bytesOf(metadata) - bytesOf(copied.metadata)
  }, 0)
}

interface CanvasCopy {
  from: string
  to: string
  blocks: IdPairs
  edges: IdPairs
  /** A block loses a file that isn't listed. */
  files: IdPairs
  metadata: RenamedMetadata[]
  userId: string
  now: Date
}

interface IdPairs {
  old: string[]
  new: string[]
}

async function listItemIds(sql: Sql, orgId: string, projectId: string) {
  const [row] = await sql<{ blocks: string[]; edges: string[] }[]>`
    select array(select id from blocks where org_id = ${orgId} and project_id = ${projectId} order by id) as blocks,
      array(select id from edges where org_id = ${orgId} and project_id = ${projectId} order by id) as edges`
  return row!
}

const listAgentMetadata = (sql: Sql, orgId: string, projectId: string) => sql<
  { metadata: Record<string, unknown> }[]
>`
  select metadata from blocks where org_id = ${orgId} and project_id = ${projectId} and type = 'agent'`

/**
 * Returns the history's bytes. Rows never leave the database: 10,000 long blocks would occupy the server for seconds.
 */
async function copyBlocks(sql: Sql, orgId: string, copy: CanvasCopy): Promise<number> {
  const { from, to, blocks, files, metadata, userId, now } = copy
  const [row] = await sql<{ bytes: number }[]>`
    with ids as materialized (
      select * from unnest(${blocks.old}::uuid[], ${blocks.new}::uuid[]) with ordinality as pair (old, new, n)
    ), copied_files as materialized (
      select * from unnest(${files.old}::uuid[], ${files.new}::uuid[]) as pair (old, new)
    ), renamed as materialized (
      select * from jsonb_to_recordset(${sql.json(metadata)}::jsonb) as r (id uuid, metadata jsonb)
    ), copied as (
      insert into blocks (org_id, project_id, id, type, x, y, width, height, rotation, z_index, parent_id, title, content,
        file_id, color, locked, metadata, version, created_by, created_at, updated_at)
      select b.org_id, ${to}, i.new, b.type, b.x, b.y, b.width, b.height, b.rotation, b.z_index, parent.new, b.title,
        b.content, f.new, b.color, b.locked,
        coalesce(r.metadata, b.metadata) - case when b.type = 'agent' then ${[...RUNTIME_KEYS]}::text[] else '{}' end, i.n,
        ${userId}, ${now}, ${now}
      from ids i join blocks b on b.org_id = ${orgId} and b.project_id = ${from} and b.id = i.old
      left join ids parent on parent.old = b.parent_id left join copied_files f on f.old = b.file_id
      left join renamed r on r.id = b.id
      returning *
    ), entries as (
      insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, after, user_id, created_at, bytes)
      select b.org_id, b.project_id, b.version, 'block', b.id, 'created', e.after, ${userId}, ${now},
        ${ENTRY_BYTES} + octet_length(e.after::text)
      from copied b cross join lateral (select ${sql.unsafe(FIELD_SQL.json)} as after) e
      returning bytes
    )
    select coalesce(sum(bytes), 0)::bigint as bytes from entries`
  return row!.bytes
}

/** Like `copyBlocks`. Edge changes follow block changes. */
async function copyEdges(sql: Sql, orgId: string, copy: CanvasCopy): Promise<number> {
  const { from, to, blocks, edges, userId, now } = copy
  const [row] = await sql<{ bytes: number }[]>`
    with ids as materialized (
      select * from unnest(${blocks.old}::uuid[], ${blocks.new}::uuid[]) as pair (old, new)
    ), edge_ids as materialized (
      select * from unnest(${edges.old}::uuid[], ${edges.new}::uuid[]) with ordinality as pair (old, new, n)
    ), copied as (
      insert into edges (org_id, project_id, id, from_block_id, to_block_id, label, condition, style, created_at)
      select e.org_id, ${to}, i.new, a.new, b.new, e.label, e.condition, e.style, ${now}
      from edge_ids i join edges e on e.org_id = ${orgId} and e.project_id = ${from} and e.id = i.old
      join ids a on a.old = e.from_block_id join ids b on b.old = e.to_block_id
      returning *
    ), entries as (
      insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, after, user_id, created_at, bytes)
      select c.org_id, c.project_id, ${blocks.old.length}::bigint + i.n, 'edge', c.id, 'created', e.after, ${userId}, ${now},
        ${ENTRY_BYTES} + octet_length(e.after::text)
      from copied c join edge_ids i on i.new = c.id cross join lateral (
        select jsonb_build_object('fromBlockId', c.from_block_id, 'toBlockId', c.to_block_id, 'label', c.label,
          'condition', c.condition, 'style', c.style) as after
      ) e
      returning bytes
    )
    select coalesce(sum(bytes), 0)::bigint as bytes from entries`
  return row!.bytes
}

const updateTotals = (
  sql: Sql,
  orgId: string,
  projectId: string,
  totals: { blocks: number; edges: number; canvasBytes: number; historyBytes: number; now: Date },
) => sql`
  update projects set change_seq = ${totals.blocks + totals.edges}, block_count = ${totals.blocks},
    edge_count = ${totals.edges}, canvas_bytes = ${totals.canvasBytes}, history_bytes = ${totals.historyBytes},
    changed_at = ${totals.now}, z_index_max = greatest(0, (
      select max(z_index) from blocks where org_id = ${orgId} and project_id = ${projectId}))
  where org_id = ${orgId} and id = ${projectId}`

/**
 * Removes the author, as if a guest had made the changes: a member who copies or restores untrusted text isn't its
 * author.
 */
export const markOutside = async (
  sql: Sql,
  { orgId, id }: { orgId: string; id: string },
  { blockIds, after }: { blockIds: readonly string[]; after: number },
): Promise<void> => {
  if (blockIds.length === 0) return
  await sql`
    update canvas_changes set user_id = null
    where org_id = ${orgId} and project_id = ${id} and item_id = any(${blockIds as string[]}::uuid[]) and entity = 'block'
      and seq > ${after} and after ?| array['title', 'content', 'metadata']`
}
