import type { Feature } from '../../../feature.ts'
import { keyJobs, keySchedules } from './expiry.ts'
import type { KeyEnvironment } from './keys.ts'
import { apiKeyRoutes } from './routes.ts'

export { createKeyUseRecorder } from './key-use.ts'
export { identifyKey, type KeyEnvironment, mayCharge, mintKey, requireMayCharge } from './keys.ts'
export { addKeyUses } from './use-queries.ts'

export const apiKeys = (options: { environment: KeyEnvironment }): Feature => ({
  routes: apiKeyRoutes(options.environment),
  jobs: keyJobs,
  schedules: keySchedules,
})
