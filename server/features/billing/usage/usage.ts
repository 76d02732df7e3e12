import { usage as contract } from '../../../../contract/billing/usage.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { exportUsage } from './export.ts'
import { summarize } from './summarize.ts'

export { summarize } from './summarize.ts'

/** Usage and cost of model calls, phone calls and text messages. */
export const usage: Feature = {
  routes: [handle(contract.get, summarize), handle(contract.export, exportUsage)],
}
