import { usage as contract } from '../../../contract/billing/usage.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import { exportUsage } from './export.ts'
import { summarize } from './summarize.ts'

export { summarize } from './summarize.ts'

/** What model calls, phone calls and text messages used and cost. */
export const usage: Feature = {
  routes: [handle(contract.get, summarize), handle(contract.export, exportUsage)],
}
