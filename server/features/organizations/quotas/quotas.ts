import { quotas as contract } from '../../../../contract/organizations/quotas.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { listQuotasOf, updateQuotas } from './operate.ts'
import { listQuotas } from './usage.ts'

export const quotas: Feature = {
  routes: [
    handle(contract.list, listQuotas),
    handle(contract.listOf, listQuotasOf),
    handle(contract.update, updateQuotas),
  ],
}
