import type { InputOf } from '../../../../contract/endpoint.ts'
import type { modelSettings as contract } from '../../../../contract/models/model-settings.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Pool } from '../../../database/database.ts'
import { forOrganization } from '../../../database/fair-pool.ts'
import { badField, conflict } from '../../../errors.ts'
import type { LoadModelSettings, Models } from '../../../language-models/models.ts'
import * as queries from './settings-queries.ts'

/** The number is limited because the list has no pages and every list of models reads it. */
const SETTINGS_MAX = 2000
/** Names in an audit entry. */
const NAMED_MAX = 5

export const listSettings = async ({ sql, caller }: Context) => ({
  items: await queries.listSettings(sql, caller.orgId),
})

/** Checks that the organization has the providers of the models; outside of the transaction, because it reads them. */
export const checkModels =
  (models: Models) =>
  async ({ caller }: Context, input: InputOf<typeof contract.put>) => {
    const providerOf = (model: string) => model.slice(0, model.indexOf('/'))
    for (const provider of new Set(input.models.map(providerOf)))
      if (!(await models.provider(caller.orgId, provider)))
        throw badField(
          `body.models.${input.models.findIndex((model) => providerOf(model) === provider)}`,
          `must be a model of a provider that the organization has; it has no provider ${provider}`,
        )
    return { input }
  }

export const putSettings = (ctx: Context, { models, pricing, contextWindow }: InputOf<typeof contract.put>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId } = caller
    await queries.deleteSettings(sql, orgId, models)
    if (pricing !== null || contextWindow !== null) {
      await queries.insertSettings(sql, orgId, {
        models,
        ...{ pricing, contextWindow, by: caller.userId, now: ctx.now() },
      })
      if ((await queries.countSettings(sql, orgId)) > SETTINGS_MAX)
        throw conflict(`The organization has prices for ${SETTINGS_MAX} models: remove some first`)
    }
    const named = models.slice(0, NAMED_MAX).join(', ')
    await recordAudit(inside, {
      action: 'model-settings.set',
      by: caller,
      target: orgId,
      details: {
        models: models.length > NAMED_MAX ? `${named} and ${models.length - NAMED_MAX} more` : named,
        price: pricing ? `$${pricing.input} in, $${pricing.output} out` : 'default',
        contextWindow: contextWindow?.toString() ?? 'default',
      },
    })
    const items = await queries.listSettings(sql, orgId)
    return { items: items.filter(({ model }) => models.includes(model)) }
  })

/** The settings of an organization, for the model engine. */
export const loadModelSettings =
  (pool: Pool): LoadModelSettings =>
  async (orgId, sql = forOrganization(pool, orgId)) => {
    const rows = await queries.listSettings(sql, orgId)
    return new Map(rows.map(({ model, pricing, contextWindow }) => [model, { pricing, contextWindow }]))
  }
