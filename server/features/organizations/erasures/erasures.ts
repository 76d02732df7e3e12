import { erasures as contract } from '../../../../contract/organizations/erasures.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { erasureJobs, erasureSchedules } from './jobs.ts'
import {
  cancelErasure,
  cancelErasureOf,
  getErasure,
  listErasures,
  requestErasure,
  requestErasureOf,
} from './request.ts'

export { findOpenErasure, listErasures as listStoredErasures } from './erasure-queries.ts'
export { cancel, request } from './request.ts'

/** Deletes organizations, after a period in which the erasure can be canceled. */
export const erasures: Feature = {
  routes: [
    handle(contract.get, getErasure),
    handle(contract.request, requestErasure),
    handle(contract.cancel, cancelErasure),
    handle(contract.list, listErasures),
    handle(contract.requestOf, requestErasureOf),
    handle(contract.cancelOf, cancelErasureOf),
  ],
  jobs: erasureJobs,
  schedules: erasureSchedules,
}
