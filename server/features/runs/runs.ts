import type { Feature } from '../../feature.ts'
import { runRoutes } from './routes.ts'

export { findLastFailed, hasRunning, isRunning, listEditedSince, updateRestored } from './queries.ts'

export const runs: Feature = { routes: runRoutes }
