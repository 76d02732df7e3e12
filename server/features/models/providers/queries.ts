import type { ProviderKind } from '../../../../contract/models/providers.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

export interface ProviderRow {
  id: string
  slug: string
  kind: ProviderKind
  name: string
  url: string
  keySealed: string | null
  lastFour: string | null
  models: string[]
  version: number
  /** Whether the member who added it operates the installation, now. */
  isByOperator: boolean
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql): Fragment => sql`
  id, slug, kind, name, url, key_sealed as "keySealed", key_last_four as "lastFour", models, version,
  (select u.is_operator from users u where u.id = model_providers.created_by) as "isByOperator",
  created_at as "createdAt", updated_at as "updatedAt"`

export const listProviders = (sql: Sql, orgId: string) =>
  sql<ProviderRow[]>`
    select ${columns(sql)} from model_providers where org_id = ${orgId} order by lower(name), id`

export async function findProvider(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ProviderRow[]>`
    select ${columns(sql)} from model_providers where org_id = ${orgId} and id = ${id}`
  return row ?? null
}

export async function lockProvider(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ProviderRow[]>`
    select ${columns(sql)} from model_providers where org_id = ${orgId} and id = ${id} for update`
  return row ?? null
}

export type NewProvider = Omit<ProviderRow, 'version' | 'isByOperator' | 'createdAt' | 'updatedAt'> & {
  createdBy: string
  now: Date
}

/** Null if the slug is taken. */
export async function insertProvider(sql: Sql, orgId: string, provider: NewProvider) {
  const { id, slug, kind, name, url, keySealed, lastFour, models, createdBy, now } = provider
  const [row] = await sql<ProviderRow[]>`
    insert into model_providers (org_id, id, slug, kind, name, url, key_sealed, key_last_four, models, created_by, created_at,
      updated_at)
    values (${orgId}, ${id}, ${slug}, ${kind}, ${name}, ${url}, ${keySealed}, ${lastFour}, ${models}, ${createdBy}, ${now},
      ${now})
    on conflict (org_id, slug) do nothing
    returning ${columns(sql)}`
  return row ?? null
}

export type ProviderSettings = Pick<ProviderRow, 'name' | 'url' | 'keySealed' | 'lastFour' | 'models'>

export async function updateProvider(
  sql: Sql,
  orgId: string,
  id: string,
  settings: ProviderSettings,
  now: Date,
): Promise<ProviderRow> {
  const { name, url, keySealed, lastFour, models } = settings
  const [row] = await sql<ProviderRow[]>`
    update model_providers set name = ${name}, url = ${url}, key_sealed = ${keySealed}, key_last_four = ${lastFour},
      models = ${models}, version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}
    returning ${columns(sql)}`
  return row!
}

export async function deleteProvider(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from model_providers where org_id = ${orgId} and id = ${id}`
}
