import { isDeepStrictEqual } from 'node:util'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { orgSettings } from '../../../../contract/organizations/settings.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { withoutUndefined } from '../../../endpoint/without-undefined.ts'
import { lockBudgets, resetDefaultTotals } from '../../billing/budgets/budgets.ts'
import { findSettings, type SettingsRow, upsertSettings } from './queries.ts'
import { type OrgSettings, withDefaults } from './values.ts'

export const getSettings = async ({ sql, caller }: Context) => present(await findSettings(sql, caller.orgId))

/** The lock of budgets also serializes concurrent changes of the settings. */
export const updateSettings = (ctx: Context, change: InputOf<typeof orgSettings.update>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    await lockBudgets(sql, caller.orgId)
    const before = withDefaults((await findSettings(sql, caller.orgId))?.settings ?? null)
    const after = merge(before, change)
    const changed = (Object.keys(after) as (keyof OrgSettings)[]).filter(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    )
    if (changed.length > 0) {
      await upsertSettings(sql, caller.orgId, { settings: after, by: caller.userId, now: ctx.now() })
      const details = { settings: changed.join(', ') }
      await recordAudit(inside, {
        action: 'organization.settings-changed',
        by: caller,
        target: caller.orgId,
        details,
      })
    }
    if (changed.includes('defaultBudgets')) await resetDefaultTotals(inside)
    return present(await findSettings(sql, caller.orgId))
  })

function merge(before: OrgSettings, change: InputOf<typeof orgSettings.update>): OrgSettings {
  const { defaultModel = before.defaultModel, runEventDays = before.runEventDays } = change
  return {
    defaultModel,
    runEventDays,
    defaultBudgets: { ...before.defaultBudgets, ...withoutUndefined(change.defaultBudgets ?? {}) },
    approvals: { ...before.approvals, ...withoutUndefined(change.approvals ?? {}) },
    models: { ...before.models, ...withoutUndefined(change.models ?? {}) },
  }
}

const present = (row: SettingsRow | null) => ({
  ...withDefaults(row?.settings ?? null),
  updatedBy: row?.updatedBy ?? null,
  updatedAt: row?.updatedAt ?? null,
})
