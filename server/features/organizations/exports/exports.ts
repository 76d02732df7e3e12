import { organizationExports as contract } from '../../../../contract/organizations/exports.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { createExport, createExportOf } from './create.ts'
import { downloadExport, downloadExportOf } from './download.ts'
import { exportJobs, exportSchedules } from './jobs.ts'
import { listExports, listExportsOf } from './list.ts'

export { archiveOf } from './archive.ts'

/** Everything that is stored for one organization, as an archive. */
export const organizationExports: Feature = {
  routes: [
    handle(contract.list, listExports),
    handle(contract.create, createExport),
    handle(contract.download, downloadExport),
    handle(contract.listOf, listExportsOf),
    handle(contract.createOf, createExportOf),
    handle(contract.downloadOf, downloadExportOf),
  ],
  jobs: exportJobs,
  schedules: exportSchedules,
}
