import type { Sql } from '../../../database/database.ts'
import type { StoredSettings } from './values.ts'

export interface SettingsRow {
  settings: StoredSettings
  updatedBy: string | null
  updatedAt: string
}

export async function findSettings(sql: Sql, orgId: string): Promise<SettingsRow | null> {
  const [row] = await sql<SettingsRow[]>`
    select settings, updated_by as "updatedBy", updated_at as "updatedAt" from org_settings where org_id = ${orgId}`
  return row ?? null
}

export const upsertSettings = (
  sql: Sql,
  orgId: string,
  { settings, by, now }: { settings: StoredSettings; by: string; now: Date },
) => sql`
  insert into org_settings (org_id, settings, updated_by, updated_at)
  values (${orgId}, ${sql.json(settings as never)}, ${by}, ${now})
  on conflict (org_id) do update set settings = excluded.settings, updated_by = excluded.updated_by,
    updated_at = excluded.updated_at`
