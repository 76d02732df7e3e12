import { telephony as contract } from '../../../../contract/telephony/telephony.ts'
import { handle } from '../../../endpoint/route.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { readOverview } from './read-overview.ts'
import { sumDays, sumDaysJob } from './sum-days.ts'

export const overviewPart = (options: TelephonyOptions): Part => ({
  routes: [handle(contract.overview, (ctx) => readOverview(options, ctx))],
  jobs: [onJob(sumDaysJob, sumDays)],
  schedules: [{ job: sumDaysJob, cron: '17 6 * * *' }],
})
