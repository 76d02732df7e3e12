import type { SearchProviderKind } from '../../../../contract/knowledge/search-providers.ts'
import type { Sql } from '../../../database/database.ts'

export interface SettingsRow {
  kind: SearchProviderKind
  url: string | null
  engineId: string | null
  keySealed: string | null
  lastFour: string | null
  /** Per search, in US dollars. */
  price: number | null
  updatedBy: string
  updatedAt: string
}

export async function findSettings(sql: Sql, orgId: string): Promise<SettingsRow | null> {
  const [row] = await sql<SettingsRow[]>`
    select kind, url, engine_id as "engineId", key_sealed as "keySealed", key_last_four as "lastFour",
      price_per_search::float8 as price,
      updated_by as "updatedBy", updated_at as "updatedAt"
    from web_search_settings where org_id = ${orgId}`
  return row ?? null
}

/** Until the transaction ends, others that change the settings wait, even if there are none yet. */
export const lockSettings = (sql: Sql, orgId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`web search ${orgId}`}, 0))`

export const upsertSettings = (
  sql: Sql,
  orgId: string,
  {
    kind,
    url,
    engineId,
    keySealed,
    lastFour,
    price,
    by,
    now,
  }: Omit<SettingsRow, 'updatedBy' | 'updatedAt'> & {
    by: string
    now: Date
  },
) => sql`
  insert into web_search_settings as s (org_id, kind, url, engine_id, key_sealed, key_last_four, price_per_search,
    updated_by, updated_at)
  values (${orgId}, ${kind}, ${url}, ${engineId}, ${keySealed}, ${lastFour}, ${price}, ${by}, ${now})
  on conflict (org_id) do update set kind = excluded.kind, url = excluded.url, engine_id = excluded.engine_id,
    key_sealed = excluded.key_sealed, key_last_four = excluded.key_last_four,
    price_per_search = excluded.price_per_search, updated_by = excluded.updated_by,
    updated_at = excluded.updated_at`

export async function deleteSettings(sql: Sql, orgId: string): Promise<SearchProviderKind | null> {
  const [row] = await sql<{ kind: SearchProviderKind }[]>`
    delete from web_search_settings where org_id = ${orgId} returning kind`
  return row?.kind ?? null
}
