import type { Sql } from '../../../database/database.ts'

/** Makes an object known before it is written, so that whatever a crash leaves behind can be found. */
export async function insertObject(sql: Sql, orgId: string, key: string, now: Date): Promise<void> {
  await sql`insert into objects (org_id, key, created_at) values (${orgId}, ${key}, ${now})`
}

/** The object is whole and a record owns it; false if it was given up meanwhile. */
export async function updateStored(sql: Sql, orgId: string, key: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    update objects set stored_at = ${now} where org_id = ${orgId} and key = ${key} and stored_at is null`
  return count === 1
}

/** Holds on to an object that no record owns; false if one does. */
export async function lockUnowned(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select from objects o where o.org_id = ${orgId} and o.key = ${key} and o.stored_at is null
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
    for update`
  return rows.length === 1
}

export async function deleteObject(sql: Sql, orgId: string, key: string): Promise<void> {
  await sql`delete from objects where org_id = ${orgId} and key = ${key}`
}
