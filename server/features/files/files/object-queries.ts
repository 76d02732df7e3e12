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

export async function hasObject(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`select from objects where org_id = ${orgId} and key = ${key}`
  return rows.length === 1
}

/** Locks an object that a new record is about to own: a purge of the others waits, and then finds the record. */
export async function lockObject(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`select from objects where org_id = ${orgId} and key = ${key} for key share`
  return rows.length === 1
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

/**
 * Deletes those of the objects that no record owns, and returns their keys. Locks the rows first and looks for records
 * in a separate statement, so that the later of two concurrent purges sees the deletes of the other.
 */
export async function deleteUnowned(sql: Sql, orgId: string, keys: string[]): Promise<string[]> {
  await sql`select from objects where org_id = ${orgId} and key = any(${keys}) order by key for update`
  const rows = await sql<{ key: string }[]>`
    delete from objects o where o.org_id = ${orgId} and o.key = any(${keys})
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
      and not exists (select from file_versions v where v.org_id = o.org_id and v.object_key = o.key)
    returning o.key`
  return rows.map(({ key }) => key)
}

export async function deleteObject(sql: Sql, orgId: string, key: string): Promise<void> {
  await sql`delete from objects where org_id = ${orgId} and key = ${key}`
}
