import type { Part, TelephonyOptions } from '../dependencies.ts'
import { startTransferWorker } from './worker.ts'

export const transferPart = (options: TelephonyOptions): Part => ({
  routes: [],
  start: (runtime) => startTransferWorker(options, runtime),
})
