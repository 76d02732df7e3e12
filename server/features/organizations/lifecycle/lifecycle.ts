import { erasures } from '../../../../contract/organizations/erasures.ts'
import { organizationExports } from '../../../../contract/organizations/exports.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { erasureJobs, erasureSchedules } from './erase/erase.ts'
import {
  cancelErasure,
  cancelErasureAsOperator,
  getErasure,
  listErasures,
  requestErasure,
  requestErasureAsOperator,
} from './erase/request.ts'
import {
  createExport,
  createExportAsOperator,
  downloadExport,
  downloadExportAsOperator,
  listExports,
  listExportsAsOperator,
} from './export/exports.ts'
import { exportJobs, exportSchedules } from './export/jobs.ts'

export { findOpenErasure, listErasures as listStoredErasures } from './erase/erasure-queries.ts'
export { cancel, request } from './erase/request.ts'
export { streamArchive } from './export/archive.ts'
export { close, findSuspension, listOwners, reopen } from './suspend.ts'

/** Suspends, exports and erases organizations. An erasure can be canceled until its waiting period ends. */
export const lifecycle: Feature = {
  routes: [
    handle(organizationExports.list, listExports),
    handle(organizationExports.create, createExport),
    handle(organizationExports.download, downloadExport),
    handle(organizationExports.listOf, listExportsAsOperator),
    handle(organizationExports.createOf, createExportAsOperator),
    handle(organizationExports.downloadOf, downloadExportAsOperator),
    handle(erasures.get, getErasure),
    handle(erasures.request, requestErasure),
    handle(erasures.cancel, cancelErasure),
    handle(erasures.list, listErasures),
    handle(erasures.requestOf, requestErasureAsOperator),
    handle(erasures.cancelOf, cancelErasureAsOperator),
  ],
  jobs: [...exportJobs, ...erasureJobs],
  schedules: [...exportSchedules, ...erasureSchedules],
}
