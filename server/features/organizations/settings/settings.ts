import { orgSettings as contract } from '../../../../contract/organizations/settings.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { getSettings, updateSettings } from './manage.ts'

export { readSettings, requireModels } from './model-rules.ts'
export { type OrgSettings, refusalText, refusingRule, type StoredSettings, withDefaults } from './values.ts'

/** Defaults and rules of an organization for its agents. */
export const orgSettings: Feature = {
  routes: [handle(contract.get, getSettings), handle(contract.update, updateSettings)],
}
