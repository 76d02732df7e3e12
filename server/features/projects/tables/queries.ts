import type { Sql } from '../../../database/database.ts'
import { toSearchKey } from '../../../database/name-keys.ts'
import { labelsOf, type StoredColumn } from './columns.ts'

interface Fields {
  name: string
  description: string | null
  columns: readonly StoredColumn[]
  key: string | null
  now: Date
}

export async function insertTable(
  sql: Sql,
  orgId: string,
  table: Fields & {
    id: string
    manifestId?: string
    projectId: string
    userId: string | null
    runId: string | null
  },
): Promise<void> {
  const { id, manifestId = null, projectId, name, description, columns, key, userId, runId, now } = table
  await sql`
    insert into project_tables (org_id, id, manifest_id, project_id, name, search_key, description, columns, labels,
      key_column, created_by, run_id, created_at, updated_at)
    values (${orgId}, ${id}, ${manifestId}, ${projectId}, ${name}, ${toSearchKey(name)}, ${description},
      ${sql.json(columns)}, ${labelsOf(columns)}, ${key}, ${userId}, ${runId}, ${now}, ${now})`
}

export async function updateTable(sql: Sql, orgId: string, id: string, fields: Fields): Promise<void> {
  const { name, description, columns, key, now } = fields
  await sql`
    update project_tables set name = ${name}, search_key = ${toSearchKey(name)}, description = ${description},
      columns = ${sql.json(columns)}, labels = ${labelsOf(columns)}, key_column = ${key}, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

export async function updateColumns(
  sql: Sql,
  orgId: string,
  id: string,
  columns: readonly StoredColumn[],
): Promise<void> {
  await sql`update project_tables set columns = ${sql.json(columns)} where org_id = ${orgId} and id = ${id}`
}

export async function updateDeleted(
  sql: Sql,
  orgId: string,
  id: string,
  deletedAt: Date | null,
): Promise<void> {
  await sql`update project_tables set deleted_at = ${deletedAt} where org_id = ${orgId} and id = ${id}`
}

/** `taken` is the table with the name. The count leaves out the table `except`. */
export async function countTables(
  sql: Sql,
  orgId: string,
  projectId: string,
  searchKey: string,
  except: string | null,
) {
  const [row] = await sql<{ taken: string | null; count: number }[]>`
    select (array_agg(id) filter (where search_key = ${searchKey}))[1] as taken, count(*) as count from project_tables
    where org_id = ${orgId} and project_id = ${projectId} and deleted_at is null and id is distinct from ${except}::uuid`
  return row!
}

/** Frees the tables' names until each has its own, since they may swap them. */
export async function parkNames(sql: Sql, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update project_tables set search_key = id::text where org_id = ${orgId} and id = any(${[...ids]}::uuid[])`
}
