import type { InputOf } from '../../../../contract/endpoint.ts'
import type { modelSettings as contract } from '../../../../contract/models/model-settings.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Pool, Sql } from '../../../database/database.ts'
import { forOrganization } from '../../../database/fair-pool.ts'
import { badField, conflict } from '../../../errors.ts'
import type { LoadModelSettings, Models } from '../../../language-models/models.ts'
import type { ModelSetting } from '../../../language-models/prices.ts'

/** Every model list reads all settings, without pages. */
const SETTINGS_MAX = 2000
const NAMED_MAX = 5

export const listSettings = async ({ sql, caller }: Context) => ({
  items: await listSettingRows(sql, caller.orgId),
})

/** Runs outside the transaction, because it reads the providers. */
export const checkModels =
  (models: Models) =>
  async ({ caller }: Context, input: InputOf<typeof contract.put>) => {
    const providerOf = (model: string) => model.slice(0, model.indexOf('/'))
    for (const provider of new Set(input.models.map(providerOf)))
      if (!(await models.provider(caller.orgId, provider)))
        throw badField(
          `body.models.${input.models.findIndex((model) => providerOf(model) === provider)}`,
          `must be a model from one of the organization’s providers; it has no provider ${provider}`,
        )
    return { input }
  }

export const putSettings = (
  ctx: Context,
  { models, pricing, contextWindow, acceptsImages }: InputOf<typeof contract.put>,
) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId } = caller
    await upsertSettings(sql, orgId, {
      models,
      ...{ pricing, contextWindow, acceptsImages, by: caller.userId, now: ctx.now() },
    })
    await deleteEmpty(sql, orgId, models)
    if ((await countSettings(sql, orgId)) > SETTINGS_MAX)
      throw conflict(`The organization has prices for ${SETTINGS_MAX} models: remove some first`)
    const named = models.slice(0, NAMED_MAX).join(', ')
    await recordAudit(inside, {
      action: 'model-settings.set',
      by: caller,
      target: orgId,
      details: {
        models: models.length > NAMED_MAX ? `${named} and ${models.length - NAMED_MAX} more` : named,
        price: pricing ? `$${pricing.input} in, $${pricing.output} out` : 'default',
        contextWindow: contextWindow?.toString() ?? 'default',
        ...(acceptsImages !== undefined && { acceptsImages: acceptsImages?.toString() ?? 'default' }),
      },
    })
    const items = await listSettingRows(sql, orgId)
    return { items: items.filter(({ model }) => models.includes(model)) }
  })

export const loadModelSettings =
  (pool: Pool): LoadModelSettings =>
  async (orgId, sql = forOrganization(pool, orgId)) => {
    const rows = await listSettingRows(sql, orgId)
    return new Map(
      rows.map(({ model, pricing, contextWindow, acceptsImages }) => [
        model,
        { pricing, contextWindow, acceptsImages },
      ]),
    )
  }

interface SettingsRow extends ModelSetting {
  model: string
  updatedBy: string | null
  updatedAt: string
}

/** Older prices have no `cacheWrite`. */
const listSettingRows = (sql: Sql, orgId: string) => sql<SettingsRow[]>`
  select model, '{"cacheWrite": null}'::jsonb || pricing as pricing, context_window as "contextWindow",
    accepts_images as "acceptsImages", updated_by as "updatedBy", updated_at as "updatedAt"
  from model_settings where org_id = ${orgId} order by model`

interface NewSettings extends Omit<ModelSetting, 'acceptsImages'> {
  models: string[]
  acceptsImages: boolean | null | undefined
  by: string
  now: Date
}

const upsertSettings = (
  sql: Sql,
  orgId: string,
  { models, pricing, contextWindow, acceptsImages, by, now }: NewSettings,
) => sql`
  insert into model_settings (org_id, model, pricing, context_window, accepts_images, updated_by, updated_at)
  select ${orgId}::uuid, model, ${pricing && sql.json(pricing as never)}::jsonb, ${contextWindow}::integer,
    ${acceptsImages ?? null}::boolean, ${by}::uuid, ${now}::timestamptz
  from unnest(${models}::text[]) as model
  on conflict (org_id, model) do update set pricing = excluded.pricing, context_window = excluded.context_window,
    accepts_images = ${acceptsImages === undefined ? sql`model_settings.accepts_images` : sql`excluded.accepts_images`},
    updated_by = excluded.updated_by, updated_at = excluded.updated_at`

async function deleteEmpty(sql: Sql, orgId: string, models: string[]): Promise<void> {
  await sql`
    delete from model_settings where org_id = ${orgId} and model = any(${models}::text[]) and pricing is null
      and context_window is null and accepts_images is null`
}

async function countSettings(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from model_settings where org_id = ${orgId}`
  return row!.count
}
