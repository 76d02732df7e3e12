import type { Feature } from '../../../feature.ts'
import type { KeyEnvironment } from '../api-keys/api-keys.ts'
import { deviceLoginRoutes } from './routes.ts'

export { deleteLoginsExpiredBefore } from './queries.ts'

export const deviceLogin = (options: { environment: KeyEnvironment }): Feature => ({
  routes: deviceLoginRoutes(options.environment),
})
