import type { Outbound } from '../../../../outbound/outbound.ts'
import type { RequestTemplate, Scope } from '../definition/template.ts'
import { type BuiltRequest, buildRequest, type ConnectionTarget, isUnsendable } from './build-request.ts'
import { type Failure, findProviderFailure } from './failure.ts'
import { createRedactor } from './redact.ts'

const FAILURE_BYTES_MAX = 65_536

export interface DownloadLimits {
  input?: Scope
  timeoutMs: number
  bytesMax: number
  signal?: AbortSignal
}

export type DownloadResult<T> =
  | { ok: true; value: T }
  | { ok: false; failure: Failure; headers: Readonly<Record<string, string>> }

/**
 * Streams a file. Follows one redirect without the credentials, which is how services hand out their storage's URLs.
 * Rethrows errors from `consume`.
 */
export async function downloadContent<T>(
  outbound: Outbound,
  target: ConnectionTarget,
  template: RequestTemplate,
  { input = {}, ...limits }: DownloadLimits,
  consume: (content: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<DownloadResult<T>> {
  let request: BuiltRequest
  try {
    request = buildRequest(target, template, input)
  } catch (error) {
    if (!isUnsendable(error)) throw error
    return failed(target, { means: 'invalid', code: null, message: error.message })
  }
  const first = await open(outbound, target, { ...request, ...limits }, consume)
  if (first.kind !== 'redirect') return first.result
  const redirected = { method: 'GET' as const, url: first.location, headers: {}, ...limits }
  const second = await open(outbound, target, redirected, consume)
  if (second.kind !== 'redirect') return second.result
  return failed(target, { means: 'failed', code: null, message: 'The service redirected twice' })
}

async function open<T>(
  outbound: Outbound,
  target: ConnectionTarget,
  request: BuiltRequest & Omit<DownloadLimits, 'input'>,
  consume: (content: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<{ kind: 'redirect'; location: string } | { kind: 'done'; result: DownloadResult<T> }> {
  const outcome = await outbound.stream(request, async ({ status, headers, body }) => {
    const { location } = headers
    if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, request.url))
      return { kind: 'redirect' as const, location: new URL(location, request.url).href }
    if (status < 300)
      return { kind: 'done' as const, result: { ok: true as const, value: await consume(body, headers) } }
    const bytes = await readStart(body)
    const answer = { status, headers, bytes, body: parse(bytes), truncated: false }
    const failure = findProviderFailure(target.definition, answer) ?? unexpected(status)
    return { kind: 'done' as const, result: failed<T>(target, failure, headers) }
  })
  if (outcome.kind === 'response') return outcome.response
  return {
    kind: 'done',
    result: failed(target, { means: 'unreachable', code: null, message: outcome.error }),
  }
}

const unexpected = (status: number): Failure => ({
  means: 'failed',
  code: null,
  message: `The service responded with status ${status}`,
})

function failed<T>(
  target: ConnectionTarget,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
): DownloadResult<T> {
  return {
    ok: false,
    failure: { ...failure, message: createRedactor(target).text(failure.message) },
    headers,
  }
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > FAILURE_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, FAILURE_BYTES_MAX)
}

function parse(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replaceAll('\0', '\uFFFD')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
