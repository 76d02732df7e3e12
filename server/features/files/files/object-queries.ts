import type { Sql } from '../../../database/database.ts'

/** Before the write, so the sweep finds the object after a crash. */
export async function insertObject(sql: Sql, orgId: string, key: string, now: Date): Promise<void> {
  await sql`insert into objects (org_id, key, created_at) values (${orgId}, ${key}, ${now})`
}

/** False if the sweep has removed it. */
export async function updateStored(sql: Sql, orgId: string, key: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    update objects set stored_at = ${now} where org_id = ${orgId} and key = ${key} and stored_at is null`
  return count === 1
}

export async function hasObject(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`select from objects where org_id = ${orgId} and key = ${key}`
  return rows.length === 1
}

/** A purge of the object's other records waits, then finds the new one. */
export async function lockObject(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`select from objects where org_id = ${orgId} and key = ${key} for key share`
  return rows.length === 1
}

export async function lockUnowned(sql: Sql, orgId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select from objects o where o.org_id = ${orgId} and o.key = ${key} and o.stored_at is null
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
    for update`
  return rows.length === 1
}

/** Marks objects as unowned, so later backups don't need their bytes. */
export async function updateUnowned(sql: Sql, orgId: string, keys: readonly string[]): Promise<void> {
  await sql`update objects set stored_at = null where org_id = ${orgId} and key = any(${[...keys]})`
}

/**
 * Locks the rows first and looks for records in a separate statement, so the later of two concurrent purges sees the
 * other's deletes. Images made from the content go with it.
 */
export async function deleteUnowned(sql: Sql, orgId: string, keys: string[]): Promise<string[]> {
  await sql`select from objects where org_id = ${orgId} and key = any(${keys}) order by key for update`
  const rows = await sql<{ key: string }[]>`
    with gone as (
      delete from objects o where o.org_id = ${orgId} and o.key = any(${keys})
        and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
        and not exists (select from file_versions v where v.org_id = o.org_id and v.object_key = o.key)
      returning o.key
    ), derived as (
      delete from derived_images d using gone where d.org_id = ${orgId} and d.source_key = gone.key
      returning d.object_key as key
    ), gone_with_it as (
      delete from objects o using derived where o.org_id = ${orgId} and o.key = derived.key returning o.key
    )
    select key from gone union all select key from gone_with_it`
  return rows.map(({ key }) => key)
}

export async function deleteObject(sql: Sql, orgId: string, key: string): Promise<void> {
  await sql`delete from objects where org_id = ${orgId} and key = ${key}`
}
