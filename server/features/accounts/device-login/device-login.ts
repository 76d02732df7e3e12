import { deviceLogin as endpoints } from '../../../../contract/accounts/device-login.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import type { KeyEnvironment } from '../api-keys/api-keys.ts'
import { decide, readStatus, start } from './authorization.ts'
import { exchange } from './exchange.ts'
import { readMe } from './me.ts'

export { deleteLoginsExpiredBefore } from './queries.ts'

/** Signs in the CLI and other devices through the browser. */
export const deviceLogin = (options: { environment: KeyEnvironment }): Feature => ({
  routes: deviceLoginRoutes(options.environment),
})

const deviceLoginRoutes = (environment: KeyEnvironment) => [
  handle(endpoints.start, start),
  handle(endpoints.status, readStatus),
  handle(endpoints.approve, decide),
  handle(endpoints.token, exchange(environment)),
  handle(endpoints.me, readMe),
]
