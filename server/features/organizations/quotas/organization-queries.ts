import type { Sql } from '../../../database/database.ts'

/** Operators work across organizations, so these statements have no tenant. */

export async function findOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`select id, name from organizations where id = ${id}`
  return row ?? null
}

/** Serializes changes of the limits of one organization. */
export async function lockOrganization(sql: Sql, id: string) {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${id} for no key update`
  return row ?? null
}
