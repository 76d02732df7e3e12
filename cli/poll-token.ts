import { setTimeout } from 'node:timers/promises'
import { ApiFailure } from '../client/client.ts'
import { DEVICE_GRANT, deviceLogin } from '../contract/accounts/device-login.ts'
import type { OutputOf } from '../contract/endpoint.ts'
import { type AtriumClient, parseResponse } from './connect.ts'
import { explain, Failure } from './failure.ts'

/** The increase of the polling interval after `slow_down` (RFC 8628, section 3.5). */
const SLOW_DOWN_S = 5

type DeviceLogin = OutputOf<typeof deviceLogin.start>

/** Polls for the key at the server's interval until the sign-in is decided. */
export async function waitForKey(server: string, client: AtriumClient, pendingLogin: DeviceLogin) {
  const deadline = Date.now() + pendingLogin.expires_in * 1000
  let interval = pendingLogin.interval
  while (Date.now() < deadline) {
    await setTimeout(interval * 1000)
    const pendingToken = client.deviceLogin
      .token({ device_code: pendingLogin.device_code, grant_type: DEVICE_GRANT })
      .catch((error: unknown) => {
        const step = nextStep(error)
        if (step === 'stop') throw failureOf(error, server)
        if (step === 'slow down') interval += SLOW_DOWN_S
        return null
      })
    const token = await pendingToken
    if (token) return parseResponse(server, deviceLogin.token, Promise.resolve(token))
  }
  throw expiredFailure()
}

/** An unreachable server is polled more slowly, as RFC 8628 advises. */
function nextStep(error: unknown): 'continue' | 'slow down' | 'stop' {
  if (!(error instanceof ApiFailure)) return 'stop'
  if (error.reason === 'authorization_pending') return 'continue'
  return error.reason === 'slow_down' || error.status === 0 || error.status >= 500 ? 'slow down' : 'stop'
}

function failureOf(error: unknown, server: string): Failure {
  const reason = error instanceof ApiFailure ? error.reason : undefined
  if (reason === 'access_denied') return new Failure('refused', 'The sign-in was denied in the browser')
  if (reason === 'expired_token' || reason === 'invalid_grant') return expiredFailure()
  return explain(error, server)
}

const expiredFailure = () =>
  new Failure('failed', 'The sign-in was not approved in time', 'Run `npx atrium login` again.')
