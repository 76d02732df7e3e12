import type { Feature } from '../../feature.ts'
import type { KeyEnvironment } from './keys.ts'
import { apiKeyRoutes } from './routes.ts'

export { identifyKey, type KeyEnvironment, mayCharge, mintKey, refuseCharging } from './keys.ts'
export { updateKeysUsed } from './queries.ts'

export const apiKeys = (options: { environment: KeyEnvironment }): Feature => ({
  routes: apiKeyRoutes(options.environment),
})
