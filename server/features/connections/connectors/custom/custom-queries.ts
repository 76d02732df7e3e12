import type { CustomConnectorSettings } from '../../../../../contract/connections/custom-connectors.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

export interface CustomRow {
  slug: string
  definition: CustomConnectorSettings
  version: number
  createdBy: string
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql): Fragment => sql`
  slug, definition, version, created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt"`

export const listCustom = (sql: Sql, orgId: string) => sql<CustomRow[]>`
  select ${columns(sql)} from custom_connectors
  where org_id = ${orgId} and deleted_at is null order by definition ->> 'name', slug`

export const listCustomBySlug = (sql: Sql, orgId: string, slugs: readonly string[]) => sql<CustomRow[]>`
  select ${columns(sql)} from custom_connectors
  where org_id = ${orgId} and slug = any(${slugs as string[]}) and deleted_at is null`

export async function findCustom(sql: Sql, orgId: string, slug: string): Promise<CustomRow | null> {
  const [row] = await sql<CustomRow[]>`
    select ${columns(sql)} from custom_connectors
    where org_id = ${orgId} and slug = ${slug} and deleted_at is null`
  return row ?? null
}

export async function lockCustom(sql: Sql, orgId: string, slug: string): Promise<CustomRow | null> {
  const [row] = await sql<CustomRow[]>`
    select ${columns(sql)} from custom_connectors
    where org_id = ${orgId} and slug = ${slug} and deleted_at is null for update`
  return row ?? null
}

/** Includes deleted connectors. Serializes writers. */
export async function lockSlugs(sql: Sql, orgId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`custom connectors ${orgId}`}, 0))`
  return sql<{ slug: string; isDeleted: boolean }[]>`
    select slug, deleted_at is not null as "isDeleted" from custom_connectors where org_id = ${orgId}`
}

export const insertCustom = (
  sql: Sql,
  orgId: string,
  { slug, definition, by, now }: { slug: string; definition: CustomConnectorSettings; by: string; now: Date },
) => sql`
  insert into custom_connectors (org_id, slug, definition, created_by, created_at, updated_at)
  values (${orgId}, ${slug}, ${sql.json(definition as never)}, ${by}, ${now}, ${now})`

export const updateCustom = (
  sql: Sql,
  orgId: string,
  slug: string,
  definition: CustomConnectorSettings,
  now: Date,
) => sql`
  update custom_connectors set definition = ${sql.json(definition as never)}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and slug = ${slug}`

export const markDeleted = (sql: Sql, orgId: string, slug: string, now: Date) => sql`
  update custom_connectors set deleted_at = ${now} where org_id = ${orgId} and slug = ${slug}`
