import type { LinkTarget } from '../../../../contract/projects/table-options.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { projectOfTable, tableAccess } from './access.ts'
import { type StoredColumn, shownColumns } from './columns.ts'
import type { TableRow } from './records.ts'
import type { Cells } from './values.ts'
import { rowsById } from './write-queries.ts'

/** Titles by link target: `file`, `block`, `run`, or a table's id for its rows. */
export type LinkTitles = ReadonlyMap<string, ReadonlyMap<string, string | null>>

type LinkedTable = Pick<TableRow, 'projectId'>

/** Titles of what the caller may see. Others are missing. */
export async function readLinks(
  ctx: Context,
  { projectId, columns }: LinkedTable & { columns: readonly StoredColumn[] },
  rows: readonly Cells[],
): Promise<LinkTitles> {
  const ids = new Map<string, Set<string>>()
  for (const column of shownColumns(columns).filter(({ type }) => type === 'link')) {
    const group = linkGroup(column)
    const found = ids.get(group) ?? new Set()
    for (const cells of rows) if (typeof cells[column.id] === 'string') found.add(cells[column.id] as string)
    if (found.size > 0) ids.set(group, found)
  }
  const titles = new Map<string, ReadonlyMap<string, string | null>>()
  for (const [group, wanted] of ids) titles.set(group, await readTitles(ctx, projectId, group, [...wanted]))
  return titles
}

export const linkGroup = ({ target, tableId }: StoredColumn): string =>
  target === 'row' ? (tableId ?? '') : (target ?? '')

export interface GivenLink {
  column: StoredColumn
  id: string
  /** Of the value, in errors. */
  path: string
}

const NOUNS: Record<LinkTarget, string> = {
  file: 'a file in the project',
  block: 'a block in the project',
  run: 'a run in the project',
  row: 'a row of the linked table',
}

/** Refuses links to what is missing, in another project, or hidden from the caller. */
export async function requireLinks(
  ctx: Context,
  { projectId }: LinkedTable,
  links: readonly GivenLink[],
): Promise<void> {
  for (const [group, given] of Map.groupBy(links, ({ column }) => linkGroup(column))) {
    const found = await readTitles(ctx, projectId, group, [...new Set(given.map(({ id }) => id))])
    const missing = given.find(({ id }) => !found.has(id))
    if (missing) throw badField(missing.path, `must be the id of ${NOUNS[missing.column.target!]}`)
  }
}

/** The given ids that a link of the column may name. */
export const listTargets = async (
  ctx: Context,
  { projectId }: LinkedTable,
  column: StoredColumn,
  ids: string[],
): Promise<ReadonlySet<string>> => new Set((await readTitles(ctx, projectId, linkGroup(column), ids)).keys())

/** A guest sees no files and runs here: their link shows them the canvas alone. */
async function readTitles(
  ctx: Context,
  projectId: string,
  group: string,
  ids: string[],
): Promise<ReadonlyMap<string, string | null>> {
  const { sql, caller } = ctx
  const isHidden = caller.share !== undefined && (group === 'file' || group === 'run')
  const rows = isHidden ? [] : await queryTitles(ctx, projectId, group, ids)(sql, caller.orgId)
  return new Map(rows.map(({ id, title }) => [id, title?.trim() || null]))
}

type Titles = (sql: Sql, orgId: string) => Promise<readonly { id: string; title: string | null }[]>

const TITLE_CHARACTERS = 200

function queryTitles(ctx: Context, projectId: string, group: string, ids: string[]): Titles {
  if (group === 'file') return (sql, orgId) => listFileTitles(sql, orgId, projectId, ids)
  if (group === 'run') return (sql, orgId) => listRunTitles(sql, orgId, projectId, ids)
  if (group === 'block') return (sql, orgId) => listBlockTitles(sql, orgId, projectId, ids)
  return () => listRowTitles(ctx, projectId, group, ids)
}

const listFileTitles = (sql: Sql, orgId: string, projectId: string, ids: string[]) => sql<
  { id: string; title: string }[]
>`
  select f.id, f.name as title from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
  where f.org_id = ${orgId} and f.id = any(${ids}::uuid[]) and f.source <> 'folder' and f.deleted_at is null
    and f.status = 'ready' and p.project_id = ${projectId} and p.trashed_by is null`

const listRunTitles = (sql: Sql, orgId: string, projectId: string, ids: string[]) => sql<
  { id: string; title: string | null }[]
>`
  select r.id, left(r.title, ${TITLE_CHARACTERS}) as title from runs r
  where r.org_id = ${orgId} and r.id = any(${ids}::uuid[]) and r.project_id = ${projectId}`

const listBlockTitles = (sql: Sql, orgId: string, projectId: string, ids: string[]) => sql<
  { id: string; title: string | null }[]
>`
  select b.id, coalesce(nullif(b.title, ''), left(split_part(b.content, E'\n', 1), ${TITLE_CHARACTERS})) as title
  from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(${ids}::uuid[])`

/** A row's title is its key, else its first text. */
const listRowTitles = ({ sql, caller }: Context, projectId: string, tableId: string, ids: string[]) => sql<
  { id: string; title: string | null }[]
>`
  select r.id, left(coalesce(r.key_text, r.cells ->> (
    select c ->> 'id' from jsonb_array_elements(t.columns) with ordinality e (c, n)
    where c ->> 'type' = 'text' and not c ? 'removedAt' order by e.n limit 1)), ${TITLE_CHARACTERS}) as title
  from project_tables t cross join lateral ${projectOfTable(sql, caller.orgId)}
  cross join ${rowsById(sql, caller.orgId, tableId, sql`unnest(${ids}::uuid[])`)}
  where t.org_id = ${caller.orgId} and t.id = ${tableId} and t.project_id = ${projectId} and t.deleted_at is null
    and ${tableAccess(sql, caller)} is not null`
