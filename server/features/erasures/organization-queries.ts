import type { Sql } from '../../database/database.ts'

export async function findName(sql: Sql, orgId: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`select name from organizations where id = ${orgId}`
  return row?.name ?? null
}
