import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { forbidden } from '../../../errors.ts'
import { findSettings } from './queries.ts'
import { type OrgSettings, refusalText, refusingRule, withDefaults } from './values.ts'

export const readSettings = async (sql: Sql, { orgId }: { orgId: string }): Promise<OrgSettings> =>
  withDefaults((await findSettings(sql, orgId))?.settings ?? null)

/** Refuses models that the organization does not allow for the role of the caller. */
export async function requireModels(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  models: readonly string[],
): Promise<void> {
  if (models.length === 0) return
  const settings = await readSettings(sql, caller)
  for (const model of models) {
    const rule = refusingRule(settings, caller.role, model)
    if (rule) throw forbidden(refusalText(rule, model), { reason: 'model_not_allowed', rule, model })
  }
}
