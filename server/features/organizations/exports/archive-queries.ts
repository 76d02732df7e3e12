import type { Sql } from '../../../database/database.ts'

const ROWS_PER_FETCH = 500

export async function findOrganization(sql: Sql, orgId: string) {
  const [row] = await sql<{ id: string; name: string; createdAt: string }[]>`
    select id, name, created_at as "createdAt" from organizations where id = ${orgId}`
  return row ?? null
}

/** The rows of one table as JSON, read in batches: no table is in memory as a whole. */
export async function* rowsOf(
  sql: Sql,
  orgId: string,
  table: string,
  columns: string[],
): AsyncGenerator<string> {
  const batches = sql<{ line: string }[]>`
    select to_jsonb(t)::text as line from (select ${sql(columns)} from ${sql(table)} where org_id = ${orgId}) t`
  for await (const rows of batches.cursor(ROWS_PER_FETCH)) for (const { line } of rows) yield line
}

/** The accounts of the members, without their credentials. */
export async function* usersOf(sql: Sql, orgId: string): AsyncGenerator<string> {
  const batches = sql<{ line: string }[]>`
    select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'settings', u.settings,
      'created_at', u.created_at)::text as line
    from memberships m join users u on u.id = m.user_id where m.org_id = ${orgId}`
  for await (const rows of batches.cursor(ROWS_PER_FETCH)) for (const { line } of rows) yield line
}

export interface ExportedFile {
  /** The id of the file, or of its earlier version. */
  id: string
  fileId: string
  name: string
  /** The number of an earlier version; null for the present content. */
  version: number | null
  key: string
  createdAt: string
}

/** The contents of files and of their earlier versions, including those in the trash. */
const contentsOf = (sql: Sql, orgId: string) => sql`(
  select id, id as file_id, name, null::int as version, object_key, created_at from files
  where org_id = ${orgId} and source = 'upload' and status = 'ready' and object_key is not null
  union all
  select v.id, v.file_id, f.name, v.number, v.object_key, v.created_at
  from file_versions v join files f on f.org_id = v.org_id and f.id = v.file_id where v.org_id = ${orgId}
) contents`

export async function countFiles(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${contentsOf(sql, orgId)}`
  return row!.count
}

/** In the order of their ids. */
export const listFiles = (
  sql: Sql,
  orgId: string,
  { after, limit }: { after: string | null; limit: number },
) => sql<ExportedFile[]>`
  select id, file_id as "fileId", name, version, object_key as key, created_at as "createdAt"
  from ${contentsOf(sql, orgId)}
  where ${after === null ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`
