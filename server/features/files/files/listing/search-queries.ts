import type { Fragment, Sql } from '../../../../database/database.ts'
import { toGrams, toLikePattern } from '../../../../database/name-keys.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { isFolderVisible, visibleFolders } from '../access.ts'
import type { FileRow } from '../records.ts'
import type { FolderRow } from '../tree/folder-queries.ts'
import {
  afterCondition,
  type Order,
  orderBy,
  orderColumns,
  type Position,
  sourceCondition,
} from './list-queries.ts'

export interface SearchFilter {
  folder: Pick<FolderRow, 'id'>
  search: string | undefined
  tag: string | undefined
  source: FileRow['source'] | undefined
  order: Order
}

export interface FoundPage {
  ids: string[]
  /** Where the next call continues if this one stopped early. Otherwise null. */
  resume: (string | number)[] | null
}

/** Whether scanning all visible files is the fastest plan. */
export async function isSmallSubtree(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  limits: { folders: number; files: number },
) {
  const { orgId } = viewer
  const [row] = await sql<{ folders: number; files: number }[]>`
    with subtree as materialized (
      select s.id from (${subtreeFolders(sql, viewer, filter)}) s limit ${limits.folders + 1}
    )
    select (select count(*) from subtree)::int as folders, (
      select count(*) from (
        select from (select id from subtree limit ${limits.folders}) s cross join lateral (
          select from files f
          where f.org_id = ${orgId} and ${isInFolder(sql)} and ${isListed(sql, filter.order)}
          limit ${limits.files + 1}
        ) f limit ${limits.files + 1}
      ) f)::int as files`
  return row!.folders <= limits.folders && row!.files <= limits.files
}

/** The root also contains project folders, with records found in no other folder. */
export async function scanSubtree(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  { after: position, limit, offset }: Position,
) {
  const { order } = filter
  const matching = (where: Fragment) => sql`
    select f.* from files f cross join lateral ${visibleFolderOf(sql, viewer, sql`f`)} seen
    where f.org_id = ${viewer.orgId} and ${where} and ${isListed(sql, order)} ${matches(sql, filter)}
      ${afterCondition(sql, order, position)}
    order by ${orderBy(sql, order)} limit ${limit + offset}`
  const projectFolders =
    filter.folder.id === viewer.orgId && order !== 'deleted'
      ? sql`union all (${matching(sql`f.id = s.id and f.protected`)})`
      : sql``
  return idsOf(sql`
    select f.id from (select distinct s.id from (${subtreeFolders(sql, viewer, filter)}) s) s cross join lateral (
      (${matching(isInFolder(sql))}) ${projectFolders}
    ) f
    order by ${orderBy(sql, order)} limit ${limit} offset ${offset}`)
}

/**
 * Filters the next `files` records in each folder: fastest for common matches in few large folders. Null with more than
 * `folders`, or if a match may be missing.
 */
export async function scanFolders(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  { after: position, limit, offset }: Position,
  scanMax: { folders: number; files: number },
): Promise<string[] | null> {
  const { orgId } = viewer
  const { order } = filter
  const [row] = await sql<{ ids: string[]; folders: number; scanned: number }[]>`
    with subtree as materialized (
      select s.id from (${subtreeFolders(sql, viewer, filter)}) s limit ${scanMax.folders + 1}
    ), scanned as materialized (
      select f.* from (select id from subtree where (select count(*) from subtree) <= ${scanMax.folders}) s
      cross join lateral (
        select f.id, f.parent_id, ${orderColumns(sql, order)} from files f
        where f.org_id = ${orgId} and ${isInFolder(sql)} and ${isListed(sql, order)} ${afterCondition(sql, order, position)}
        order by ${orderBy(sql, order)} limit ${scanMax.files}
      ) f
      order by ${orderBy(sql, order)}
    )
    select (select count(*) from subtree)::int as folders,
      coalesce((select max(files) from (select count(*) as files from scanned group by parent_id) each), 0)::int as scanned,
      array(
        select f.id from scanned f cross join lateral ${matchingRecord(sql, viewer, filter)} own
        order by ${orderBy(sql, order)} limit ${limit} offset ${offset}
      ) as ids`
  const { folders, scanned, ids } = row!
  const isExact = scanned < scanMax.files || (folders === 1 && ids.length === limit)
  return folders <= scanMax.folders && isExact ? ids : null
}

/**
 * From the root, the folders that a member sees. The trash includes trashed folders, because files deleted in them
 * earlier are listed too. Descends by the index on folders below the first level: with the path index, a generic plan
 * can't estimate a subtree's size.
 */
function subtreeFolders(sql: Sql, viewer: Viewer, { folder, order }: SearchFilter): Fragment {
  const notTrashed = order === 'deleted' ? sql`` : sql`and s.trashed_by is null`
  return folder.id === viewer.orgId
    ? sql`select s.id from (${visibleFolders(sql, viewer)}) s where true ${notTrashed}`
    : sql`
      with recursive subtree as (
        select s.id, s.project_id from folders s where s.org_id = ${viewer.orgId} and s.id = ${folder.id} ${notTrashed}
        union all
        select c.id, c.project_id from subtree cross join lateral (
          select s.id, s.project_id from folders s
          where s.org_id = ${viewer.orgId} and s.parent_id = subtree.id and cardinality(s.path) > 2 ${notTrashed} offset 0
        ) c
      )
      select s.id from subtree s where ${isFolderVisible(sql, viewer, sql`s.project_id`)}`
}

export interface ScanLimits {
  /** Names read in list order, from the index alone. */
  names: number
  /** Records read among those with a matching name, to check tags, source and access. */
  records: number
}

/**
 * Filters the next records in list order: fastest for common matches. `resume` is the last position read if records are
 * left and the page isn't full.
 */
export async function scanPage(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  { after: position, limit, offset }: Position,
  scanMax: ScanLimits,
): Promise<FoundPage> {
  const { orgId } = viewer
  const { order, search } = filter
  const named = search === undefined ? sql`` : sql`and f.search_key like ${toLikePattern(search)}`
  const inOrder = sql`
    from files f where f.org_id = ${orgId} and ${isListed(sql, order)} ${afterCondition(sql, order, position)}
    order by ${orderBy(sql, order)}`
  const positionOf = (rows: Fragment) =>
    sql`select json_build_array(${orderColumns(sql, order)}, f.id) from (${rows}) f`
  const [row] = await sql<{ ids: string[]; last: (string | number)[] | null }[]>`
    with candidates as materialized (
      select f.id, ${orderColumns(sql, order)} from (
        select f.id, f.parent_id, f.search_key, ${orderColumns(sql, order)} ${inOrder} limit ${scanMax.names}
      ) f
      where true ${named} ${notInTrashedFolder(sql, orgId, filter)}
      order by ${orderBy(sql, order)} limit ${scanMax.records}
    ), found as materialized (
      select f.id, ${orderColumns(sql, order)} from candidates f cross join lateral ${matchingRecord(sql, viewer, filter)} own
      order by ${orderBy(sql, order)} limit ${limit} offset ${offset}
    )
    select array(select f.id from found f order by ${orderBy(sql, order)}) as ids, case
      when (select count(*) from found) = ${limit} then null
      when (select count(*) from candidates) = ${scanMax.records} then (
        ${positionOf(sql`select * from candidates offset ${scanMax.records - 1} limit 1`)})
      else (${positionOf(sql`select f.id, ${orderColumns(sql, order)} ${inOrder} offset ${scanMax.names - 1} limit 1`)})
    end as last`
  return { ids: row!.ids, resume: row!.last }
}

const SAMPLED_PAGES = 50
const PAGE_BYTES = 8192

/** From a sample of the table, because an index reads every match before the first is known. */
export async function estimateMatches(sql: Sql, orgId: string, filter: SearchFilter): Promise<number> {
  const pages = sql`(pg_relation_size('files') / ${PAGE_BYTES}::float8 / ${SAMPLED_PAGES}::float8)`
  const [row] = await sql<{ matches: number }[]>`
    select count(*) * greatest(1, ${pages}) as matches
    from files f tablesample system (100 / greatest(1, ${pages}))
    where f.org_id = ${orgId} and f.status = 'ready' ${matches(sql, filter)}`
  return row!.matches
}

/** Uses name trigrams or tags: fastest for rare matches. Null above `matchesMax`, as sorting would take too long. */
export async function findByIndex(
  sql: Sql,
  viewer: Viewer,
  filter: SearchFilter,
  { after: position, limit, offset }: Position,
  matchesMax: number,
): Promise<string[] | null> {
  const { orgId } = viewer
  const { order, search } = filter
  const grams = search === undefined ? sql`` : sql`and name_grams(f.search_key) @> ${toGrams(search)}`
  const [row] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select ${recordColumns(sql)} from files f where f.org_id = ${orgId} and f.status = 'ready' ${grams} ${matches(sql, filter)} limit ${matchesMax + 1}
    )
    select (select count(*) from found)::int as found, array(
      select f.id from found f cross join lateral ${visibleFolderOf(sql, viewer, sql`f`)} seen
      where (select count(*) from found) <= ${matchesMax} and ${isListed(sql, order)} ${notInTrashedFolder(sql, orgId, filter)}
        ${isInSubtree(sql, orgId, filter)} ${afterCondition(sql, order, position)}
      order by ${orderBy(sql, order)} limit ${limit} offset ${offset}
    ) as ids`
  return row!.found > matchesMax ? null : row!.ids
}

const recordColumns = (sql: Sql): Fragment => sql`
  f.id, f.parent_id, f.source, f.protected, f.deleted_at, f.status, f.rank, f.sort_key, f.search_key, f.tags,
  f.updated_at, f.size`

const idsOf = async (rows: Fragment): Promise<string[]> => (await rows).map((row) => row.id as string)

/** The folder indexes exclude protected records, which only the root contains. */
const isInFolder = (sql: Sql): Fragment => sql`f.parent_id = s.id and not f.protected`

const isListed = (sql: Sql, order: Order): Fragment =>
  order === 'deleted'
    ? sql`f.deleted_at is not null and not f.protected`
    : sql`f.deleted_at is null and f.status = 'ready'`

function matches(sql: Sql, { search, tag, source }: SearchFilter, f: Fragment = sql`f`): Fragment {
  const nameCondition = search === undefined ? sql`` : sql`and ${f}.search_key like ${toLikePattern(search)}`
  const tagCondition = tag === undefined ? sql`` : sql`and ${f}.tags @> ${[tag]}`
  return sql`${nameCondition} ${tagCondition} ${sourceCondition(sql, source, f)}`
}

const matchingRecord = (sql: Sql, viewer: Viewer, filter: SearchFilter): Fragment => sql`(
  select from files own cross join lateral ${visibleFolderOf(sql, viewer, sql`own`)} seen
  where own.org_id = ${viewer.orgId} and own.id = f.id ${matches(sql, filter, sql`own`)}
    ${isInSubtree(sql, viewer.orgId, filter, sql`own`)} limit 1)`

/** Its parent folder, or itself if `f` is a folder. */
const visibleFolderOf = (sql: Sql, viewer: Viewer, f: Fragment): Fragment => sql`(
  select from folders seen
  where seen.org_id = ${viewer.orgId}
    and seen.id = case when ${f}.source = 'folder' then ${f}.id else ${f}.parent_id end
    and ${isFolderVisible(sql, viewer, sql`seen.project_id`)} limit 1)`

/** Excludes trashed folders by id, because there are few. The trash lists deleted records anywhere. */
const notInTrashedFolder = (sql: Sql, orgId: string, { order }: SearchFilter): Fragment =>
  order === 'deleted'
    ? sql``
    : sql`and f.parent_id not in (
        select s.id from folders s where s.org_id = ${orgId} and s.trashed_by is not null)`

const isInSubtree = (sql: Sql, orgId: string, { folder }: SearchFilter, f: Fragment = sql`f`): Fragment =>
  folder.id === orgId
    ? sql``
    : sql`and exists (
        select from folders s where s.org_id = ${orgId} and s.id = ${f}.parent_id and s.path @> ${[folder.id]}::uuid[])`
