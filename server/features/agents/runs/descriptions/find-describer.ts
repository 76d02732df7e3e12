import type { Role } from '../../../../../contract/accounts/accounts.ts'
import type { Models } from '../../../../language-models/models.ts'
import { type OrgSettings, refusingRule } from '../../../organizations/settings/settings.ts'
import type { Describer } from './ask-describer.ts'

/** Null without a vision model that works and that the run's role may use. */
export async function findDescriber(
  models: Pick<Models, 'find' | 'patienceMs'>,
  orgId: string,
  { settings, role }: { settings: OrgSettings; role: Role },
): Promise<Describer | null> {
  const id = settings.visionModel
  if (id === null || refusingRule(settings, role, id)) return null
  const found = await models.find(orgId, id)
  if (found.kind === 'unknown') return null
  const info = await found.describe()
  if (!info?.modalities.input.includes('image')) return null
  const { patienceMs } = models
  return { found, id, pricing: info.pricing, reasons: info.reasoning === true, patienceMs }
}
