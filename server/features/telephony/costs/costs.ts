import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { settleCosts, settleCostsJob } from './settle-costs.ts'

export const costsPart = (options: TelephonyOptions): Part => ({
  routes: [],
  jobs: [onJob(settleCostsJob, settleCosts(options))],
  schedules: [{ job: settleCostsJob, cron: '* * * * *' }],
})
