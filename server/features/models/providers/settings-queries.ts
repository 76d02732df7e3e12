import type { Sql } from '../../../database/database.ts'
import type { ModelSetting } from '../../../language-models/prices.ts'

interface SettingsRow extends ModelSetting {
  model: string
  updatedBy: string | null
  updatedAt: string
}

export const listSettings = (sql: Sql, orgId: string) => sql<SettingsRow[]>`
  select model, pricing, context_window as "contextWindow", updated_by as "updatedBy", updated_at as "updatedAt"
  from model_settings where org_id = ${orgId} order by model`

interface NewSettings extends ModelSetting {
  models: string[]
  by: string
  now: Date
}

export const insertSettings = (
  sql: Sql,
  orgId: string,
  { models, pricing, contextWindow, by, now }: NewSettings,
) => sql`
  insert into model_settings (org_id, model, pricing, context_window, updated_by, updated_at)
  select ${orgId}::uuid, model, ${pricing && sql.json(pricing as never)}::jsonb, ${contextWindow}::integer, ${by}::uuid,
    ${now}::timestamptz
  from unnest(${models}::text[]) as model
  on conflict (org_id, model) do update set pricing = excluded.pricing, context_window = excluded.context_window,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at`

export async function deleteSettings(sql: Sql, orgId: string, models: string[]): Promise<void> {
  await sql`delete from model_settings where org_id = ${orgId} and model = any(${models}::text[])`
}

export async function countSettings(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from model_settings where org_id = ${orgId}`
  return row!.count
}
