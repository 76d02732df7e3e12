import type { InputOf } from '../../../../contract/endpoint.ts'
import type { LinkTarget } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField, notFound } from '../../../errors.ts'
import { findTable, requireFilesScope, tableAccess } from './access.ts'
import { isShown, type StoredColumn, shownColumns } from './columns.ts'
import { escapeLike } from './filter.ts'
import type { TableRow } from './records.ts'
import type { Cells } from './values.ts'

/** By link target: `file`, `block`, `run`, or a table's id for its rows. */
export type LinkTitles = ReadonlyMap<string, ReadonlyMap<string, LinkTitle>>

interface LinkTitle {
  title: string | null
  /** By a guest, a sender from outside or an untrusted run. The title may be a part of what they wrote. */
  isOutside: boolean
}

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
  const titles = new Map<string, ReadonlyMap<string, LinkTitle>>()
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

async function readTitles(
  ctx: Context,
  projectId: string,
  group: string,
  ids: string[],
): Promise<ReadonlyMap<string, LinkTitle>> {
  const rows = await ctx.sql<(LinkTitle & { id: string })[]>`
    select l.id, l.title, l.is_outside as "isOutside" from (${linkable(ctx, projectId, group)}) l
    where l.id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, title, isOutside }) => [id, { title: title?.trim() || null, isOutside }]))
}

/** Enough for a table’s rows. Of more runs or files, the newest. */
const SEARCHED_MAX = 100_000

/** What a link may name, newest first. With a search, the same title first, then those that begin with it. */
export async function listLinkTargets(
  ctx: Context,
  { id, columnId, ...query }: InputOf<typeof tables.targets>,
) {
  const { projectId, columns } = await findTable(ctx, id)
  const column = columns.find((each) => each.id === columnId && isShown(each))
  if (!column) throw notFound('Column')
  if (column.type !== 'link') throw badField('params.columnId', 'must be a link column')
  if (column.target === 'file' && !ctx.caller.share) requireFilesScope(ctx.caller, 'Listing files')
  return { items: await searchTargets(ctx, linkable(ctx, projectId, linkGroup(column)), query) }
}

function searchTargets(
  { sql }: Context,
  from: Fragment,
  { search, targetId, limit }: Omit<InputOf<typeof tables.targets>, 'id' | 'columnId'>,
) {
  const only = targetId === undefined ? from : sql`select * from (${from}) l where l.id = ${targetId}`
  const newest = sql`from (${only} order by id desc limit ${search === undefined ? limit : SEARCHED_MAX}) l`
  const pattern = escapeLike(search ?? '')
  const found = sql`
    where l.title ilike ${`%${pattern}%`}
    order by l.title ilike ${pattern} desc, l.title ilike ${`${pattern}%`} desc, l.id desc limit ${limit}`
  return sql<Target[]>`
    select l.id, nullif(btrim(l.title), '') as title, l.created_at as "createdAt" ${newest}
    ${search === undefined ? sql`order by l.id desc` : found}`.unprepared()
}

interface Target {
  id: string
  title: string | null
  createdAt: string
}

/** A guest sees no files and runs here: their link shows them the canvas alone. */
function linkable({ sql, caller }: Context, projectId: string, group: string): Fragment {
  const { orgId } = caller
  if (group === 'block') return linkableBlocks(sql, orgId, projectId)
  if (group !== 'file' && group !== 'run') return linkableRows(sql, caller, projectId, group)
  const from = group === 'file' ? linkableFiles(sql, orgId, projectId) : linkableRuns(sql, orgId, projectId)
  return caller.share ? sql`${from} and false` : from
}

const TITLE_CHARACTERS = 200

/** Whether the record's text has an untrusted author. */
const isOutsideText = (sql: Sql, record: Fragment, texts: Fragment): Fragment => sql`exists (
  select from text_origins o where o.org_id = ${record}.org_id and o.record_id = ${record}.id
    and o.hash = any(array(select text_hash(t) from unnest(array[${texts}]) t)))`

const linkableFiles = (sql: Sql, orgId: string, projectId: string): Fragment => sql`
  select f.id, f.name as title, f.created_at, ${isOutsideText(sql, sql`f`, sql`f.name`)} as is_outside
  from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
  where f.org_id = ${orgId} and f.source <> 'folder' and f.deleted_at is null and f.status = 'ready'
    and p.project_id = ${projectId} and p.trashed_by is null`

const linkableRuns = (sql: Sql, orgId: string, projectId: string): Fragment => sql`
  select r.id, left(r.title, ${TITLE_CHARACTERS}) as title, r.created_at,
    r.trust <> 'trusted' or ${isOutsideText(sql, sql`r`, sql`r.title`)} as is_outside
  from runs r
  where r.org_id = ${orgId} and r.project_id = ${projectId}`

const linkableBlocks = (sql: Sql, orgId: string, projectId: string): Fragment => sql`
  select b.id, b.created_at,
    coalesce(nullif(b.title, ''), left(split_part(b.content, E'\n', 1), ${TITLE_CHARACTERS})) as title,
    ${isOutsideText(sql, sql`b`, sql`coalesce(nullif(b.title, ''), b.content)`)} as is_outside
  from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId}`

/** A row's title is its key, else its first text. */
const linkableRows = (sql: Sql, caller: Caller, projectId: string, tableId: string): Fragment => sql`
  select r.id, r.created_at, left(coalesce(r.key_text, r.cells ->> first.id), ${TITLE_CHARACTERS}) as title,
    ${isOutsideText(sql, sql`r`, sql`coalesce(r.key_text, r.cells ->> first.id)`)} as is_outside
  from project_tables t
  join projects p on p.org_id = t.org_id and p.id = t.project_id and p.deleted_at is null
  left join lateral (
    select c ->> 'id' as id from jsonb_array_elements(t.columns) with ordinality e (c, n)
    where c ->> 'type' = 'text' and not c ? 'removedAt' order by e.n limit 1) first on true
  join table_rows r on r.org_id = t.org_id and r.table_id = t.id
  where t.org_id = ${caller.orgId} and t.id = ${tableId} and t.project_id = ${projectId} and t.deleted_at is null
    and ${tableAccess(sql, caller)} is not null`
