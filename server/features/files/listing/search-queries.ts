import type { Fragment, Sql } from '../../../database/database.ts'
import type { Viewer } from '../../project-access/project-access.ts'
import { isFolderVisible, visibleFolders } from '../access.ts'
import { gramsOf, patternOf } from '../names.ts'
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

/** What is looked for, in a folder and everything below it. */
export interface SearchFilter {
  folder: Pick<FolderRow, 'id'>
  search: string | undefined
  tag: string | undefined
  source: FileRow['source'] | undefined
  order: Order
}

/** Whether a viewer sees so little below a folder that looking at all of it is the shortest way. */
export async function isSmallSubtree(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  most: { folders: number; files: number },
) {
  const { orgId } = viewer
  const [row] = await sql<{ folders: number; files: number }[]>`
    with below as materialized (
      select s.id from (${subtreeFolders(sql, viewer, wanted)}) s limit ${most.folders + 1}
    )
    select (select count(*) from below)::int as folders, (
      select count(*) from (
        select from (select id from below limit ${most.folders}) s cross join lateral (
          select from files f
          where f.org_id = ${orgId} and f.parent_id = s.id and ${isListed(sql, wanted.order)}
          limit ${most.files + 1}
        ) f limit ${most.files + 1}
      ) f)::int as files`
  return row!.folders <= most.folders && row!.files <= most.files
}

/** Looks at everything below a folder, one folder after the other. */
export async function scanSubtree(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  { after: position, limit, offset }: Position,
) {
  const { orgId } = viewer
  const { order } = wanted
  return idsOf(sql`
    select f.id from (${subtreeFolders(sql, viewer, wanted)}) s cross join lateral (
      select f.* from files f cross join lateral ${visibleFolderOf(sql, viewer, sql`f`)} seen
      where f.org_id = ${orgId} and f.parent_id = s.id and ${isListed(sql, order)} ${matches(sql, wanted)}
        ${afterCondition(sql, order, position)}
      order by ${orderBy(sql, order)} limit ${limit + offset}
    ) f
    order by ${orderBy(sql, order)} limit ${limit} offset ${offset}`)
}

/** The folder and those below it; for the trash also those that are in it, since what was deleted before is listed too. */
function subtreeFolders(sql: Sql, viewer: Viewer, { folder, order }: SearchFilter): Fragment {
  const isReached = order === 'deleted' ? sql`` : sql`and s.trashed_by is null`
  return folder.id === viewer.orgId
    ? sql`select s.id from (${visibleFolders(sql, viewer)}) s where true ${isReached}`
    : sql`
      select s.id from folders s
      where s.org_id = ${viewer.orgId} and s.path @> ${[folder.id]}::uuid[] ${isReached}
        and ${isFolderVisible(sql, viewer, sql`s.project_id`)}`
}

/**
 * Looks at the next `steps` records in the order of the list: the shortest way to what is common. `isWhole` says that
 * there is nothing beyond them.
 */
export async function scanPage(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  { after: position, limit, offset }: Position,
  steps: number,
): Promise<{ ids: string[]; isWhole: boolean }> {
  const { orgId } = viewer
  const { order } = wanted
  const [row] = await sql<{ ids: string[]; walked: number }[]>`
    with walked as materialized (
      select f.id, f.parent_id, ${orderColumns(sql, order)} from files f
      where f.org_id = ${orgId} and ${isListed(sql, order)} ${isReachable(sql, orgId, wanted)} ${afterCondition(sql, order, position)}
      order by ${orderBy(sql, order)} limit ${steps}
    )
    select (select count(*) from walked)::int as walked, array(
      select f.id from walked f cross join lateral ${matchingRecord(sql, viewer, wanted)} own
      where true ${isBelow(sql, orgId, wanted)}
      order by ${orderBy(sql, order)} limit ${limit} offset ${offset}
    ) as ids`
  return { ids: row!.ids, isWhole: row!.walked < steps }
}

/**
 * Looks it up by the pieces of its name or by its tag: the shortest way to what is rare. Null if it is found more often
 * than `most`, so that it cannot be rare.
 */
export async function findByIndex(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  { after: position, limit, offset }: Position,
  most: number,
): Promise<string[] | null> {
  const { orgId } = viewer
  const { order, search } = wanted
  const grams = search === undefined ? sql`` : sql`and name_grams(f.search_key) @> ${gramsOf(search)}`
  const [row] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select f.id, f.parent_id, f.source, f.protected, f.deleted_at, f.status, f.rank, f.sort_key, f.updated_at, f.size
      from files f where f.org_id = ${orgId} and f.status = 'ready' ${grams} ${matches(sql, wanted)} limit ${most + 1}
    )
    select (select count(*) from found)::int as found, array(
      select f.id from found f cross join lateral ${visibleFolderOf(sql, viewer, sql`f`)} seen
      where (select count(*) from found) <= ${most} and ${isListed(sql, order)} ${isReachable(sql, orgId, wanted)}
        ${isBelow(sql, orgId, wanted)} ${afterCondition(sql, order, position)}
      order by ${orderBy(sql, order)} limit ${limit} offset ${offset}
    ) as ids`
  return row!.found > most ? null : row!.ids
}

/** Looks at one record after the other in the order of the list, until there are enough. */
export async function scanAll(
  sql: Sql,
  viewer: Viewer,
  wanted: SearchFilter,
  { after: position, limit, offset }: Position,
) {
  const { orgId } = viewer
  const { order } = wanted
  return idsOf(sql`
    select f.id from files f cross join lateral ${matchingRecord(sql, viewer, wanted)} own
    where f.org_id = ${orgId} and ${isListed(sql, order)} ${isReachable(sql, orgId, wanted)} ${isBelow(sql, orgId, wanted)}
      ${afterCondition(sql, order, position)}
    order by ${orderBy(sql, order)} limit ${limit} offset ${offset}`)
}

const idsOf = async (rows: Fragment): Promise<string[]> => (await rows).map((row) => row.id as string)

const isListed = (sql: Sql, order: Order): Fragment =>
  order === 'deleted'
    ? sql`f.deleted_at is not null and not f.protected`
    : sql`f.deleted_at is null and f.status = 'ready'`

function matches(sql: Sql, { search, tag, source }: SearchFilter, f: Fragment = sql`f`): Fragment {
  const named = search === undefined ? sql`` : sql`and ${f}.search_key like ${patternOf(search)}`
  const tagged = tag === undefined ? sql`` : sql`and ${f}.tags @> ${[tag]}`
  return sql`${named} ${tagged} ${sourceCondition(sql, source, f)}`
}

/** Reads a record only now, so that what an index has passed by costs nothing. */
const matchingRecord = (sql: Sql, viewer: Viewer, wanted: SearchFilter): Fragment => sql`(
  select from files own cross join lateral ${visibleFolderOf(sql, viewer, sql`own`)} seen
  where own.org_id = ${viewer.orgId} and own.id = f.id ${matches(sql, wanted, sql`own`)} limit 1)`

/** By the folder that it is or is in. */
const visibleFolderOf = (sql: Sql, viewer: Viewer, f: Fragment): Fragment => sql`(
  select from folders seen
  where seen.org_id = ${viewer.orgId}
    and seen.id = case when ${f}.source = 'folder' then ${f}.id else ${f}.parent_id end
    and ${isFolderVisible(sql, viewer, sql`seen.project_id`)} limit 1)`

/** Few folders are in the trash, so they are left out by name. What was deleted itself is listed wherever it was. */
const isReachable = (sql: Sql, orgId: string, { order }: SearchFilter): Fragment =>
  order === 'deleted'
    ? sql``
    : sql`and f.parent_id not in (
        select s.id from folders s where s.org_id = ${orgId} and s.trashed_by is not null)`

const isBelow = (sql: Sql, orgId: string, { folder }: SearchFilter): Fragment =>
  folder.id === orgId
    ? sql``
    : sql`and exists (
        select from folders s where s.org_id = ${orgId} and s.id = f.parent_id and s.path @> ${[folder.id]}::uuid[])`
