import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { ApiError } from '../../../errors.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import { replaceOrigin } from '../../connections/connectors/connectors.ts'
import type { CarrierContent, CarrierFailure, CarrierResult } from './carrier.ts'
import type { OpenedAccount } from './twilio-request.ts'

/** For the whole content: a four-hour recording over a slow line. */
const TIMEOUT_MS = 600_000
const REDIRECTS_MAX = 3
/** Also matches other regions: `api.dublin.ie1.twilio.com`. */
const API_HOST = /^api(\.[a-z0-9-]+\.[a-z0-9-]+)?\.twilio\.com$/

/**
 * Twilio may redirect to a content host, which gets no credentials. The stream throws if it ends early, and
 * PAYLOAD_TOO_LARGE if too large.
 */
export async function download(
  { ctx, target }: OpenedAccount,
  url: string,
): Promise<CarrierResult<CarrierContent>> {
  const { accountSid = '', authToken = '' } = target.credentials
  if (!belongsToAccount(url, accountSid)) return refused('The URL does not belong to the Twilio account')
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let next = replaceOrigin(url, target.override)
  let headers: Record<string, string> = { authorization }
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await get(ctx.outbound, next, headers, signal)
    if (typeof response === 'string') return unreachable(response)
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location')
    if (!location) return contentOf(response)
    await response.body?.cancel()
    if (!URL.canParse(location, next)) return unreachable('Twilio redirected to an invalid URL')
    next = new URL(location, next).href
    headers = {}
  }
  return unreachable('Twilio redirected too often')
}

function belongsToAccount(url: string, accountSid: string): boolean {
  if (!URL.canParse(url) || accountSid === '') return false
  const { protocol, host, username, pathname } = new URL(url)
  const isApi = protocol === 'https:' && API_HOST.test(host) && username === ''
  return isApi && pathname.startsWith(`/2010-04-01/Accounts/${accountSid}/`)
}

async function get(
  outbound: Outbound,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response | string> {
  try {
    return await outbound.fetch(url, { headers, signal })
  } catch (error) {
    return signal.aborted ? 'No response in time' : (error as Error).message
  }
}

/** Final: the content will never be accepted. */
export const TOO_LARGE = 'too_large'
const tooLarge = `It is larger than ${TELEPHONY_LIMITS.recordingBytes / 2 ** 20} MB`

async function contentOf(response: Response): Promise<CarrierResult<CarrierContent>> {
  const { status, body, headers } = response
  if (Number(headers.get('content-length')) > TELEPHONY_LIMITS.recordingBytes) {
    await body?.cancel()
    return { ok: false, failure: { ...failure(status, tooLarge, true), code: TOO_LARGE } }
  }
  if (status !== 200 || body === null) {
    await body?.cancel()
    return { ok: false, failure: failure(status, `Twilio responded with status ${status}`, status < 500) }
  }
  const contentType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return {
    ok: true,
    value: { contentType: contentType || 'application/octet-stream', content: limitBytes(body) },
  }
}

async function* limitBytes(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytesLeft: number = TELEPHONY_LIMITS.recordingBytes
  for await (const chunk of body) {
    bytesLeft -= chunk.length
    if (bytesLeft < 0) throw new ApiError('PAYLOAD_TOO_LARGE', tooLarge)
    yield chunk
  }
}

const failure = (status: number | null, message: string, isRefused: boolean): CarrierFailure => ({
  status,
  code: null,
  message,
  isRefused,
})
const refused = (message: string) => ({ ok: false as const, failure: failure(null, message, true) })
const unreachable = (message: string) => ({ ok: false as const, failure: failure(null, message, false) })
