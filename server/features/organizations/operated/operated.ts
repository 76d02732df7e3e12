import { operatedOrganizations as contract } from '../../../../contract/organizations/operated.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { figureJobs, figureSchedules } from './count-figures.ts'
import { listOrganizations } from './list.ts'
import { getOrganization } from './read.ts'
import { resumeOrganization, suspendOrganization } from './suspend.ts'

export { listRows } from './organization-queries.ts'
export { resume, suspend } from './suspend.ts'

/** Lists the organizations of the server for operators, who can suspend and resume them. */
export const operatedOrganizations: Feature = {
  routes: [
    handle(contract.list, listOrganizations),
    handle(contract.get, getOrganization),
    handle(contract.suspend, suspendOrganization),
    handle(contract.resume, resumeOrganization),
  ],
  jobs: figureJobs,
  schedules: figureSchedules,
}
