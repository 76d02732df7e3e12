import type { Sql } from '../../../database/database.ts'

/** Records an object before it is written, so that the sweep finds it after a crash. */
export async function insertObject(sql: Sql, orgId: string, key: string, now: Date): Promise<void> {
  await sql`insert into objects (org_id, key, created_at) values (${orgId}, ${key}, ${now})`
}

/** Marks the object as complete and owned; false if the sweep removed it in the meantime. */
export async function updateStored(sql: Sql, orgId: string, key: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    update objects set stored_at = ${now} where org_id = ${orgId} and key = ${key} and stored_at is null`
  return count === 1
}

/** Locks an object that no record owns; false if one does. */
export async function lockUnowned(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select from objects o where o.org_id = ${orgId} and o.key = ${key} and o.stored_at is null
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
    for update`
  return rows.length === 1
}

/** Marks objects as owned by nothing: a backup that begins afterwards does not need their bytes. */
export async function updateUnowned(sql: Sql, orgId: string, keys: readonly string[]): Promise<void> {
  await sql`update objects set stored_at = null where org_id = ${orgId} and key = any(${[...keys]})`
}

export async function hasObject(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`select from objects where org_id = ${orgId} and key = ${key}`
  return rows.length === 1
}

export async function deleteObject(sql: Sql, orgId: string, key: string): Promise<void> {
  await sql`delete from objects where org_id = ${orgId} and key = ${key}`
}
