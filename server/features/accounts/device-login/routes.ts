import { deviceLogin } from '../../../../contract/accounts/device-login.ts'
import { handle } from '../../../endpoint/route.ts'
import type { KeyEnvironment } from '../api-keys/api-keys.ts'
import { decide, readStatus, start } from './authorization.ts'
import { exchange } from './exchange.ts'
import { readMe } from './me.ts'

export const deviceLoginRoutes = (environment: KeyEnvironment) => [
  handle(deviceLogin.start, start),
  handle(deviceLogin.status, readStatus),
  handle(deviceLogin.approve, decide),
  handle(deviceLogin.token, exchange(environment)),
  handle(deviceLogin.me, readMe),
]
