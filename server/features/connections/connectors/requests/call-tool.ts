import type { Outbound } from '../../../../outbound/outbound.ts'
import { clip } from '../../../../tools/clip.ts'
import { MAY_HAVE_HAPPENED } from '../../../../tools/tool.ts'
import type { ConnectorDefinition, ConnectorTool } from '../definition/definition.ts'
import { isKeyed, MissingValueError, type RequestTemplate } from '../definition/template.ts'
import { type BuiltRequest, buildRequest, type ConnectionTarget } from './build-request.ts'
import type { Failure, ProviderAnswer } from './failure.ts'
import { type ReadPages, readPages } from './read-pages.ts'
import { createRedactor, type Redactor } from './redact.ts'
import type { RetryOptions } from './send-with-retries.ts'

/** Total wait for a provider that limits requests. */
const WAIT_MS_MAX = 60_000

export interface CallOptions extends Pick<RetryOptions, 'signal' | 'now' | 'slot'> {
  /** Shared by all attempts. */
  idempotencyKey: string
}

export type CallResult =
  | { ok: true; value: unknown }
  /** `isOurs`: the provider sent no message. */
  | { ok: false; text: string; isOurs: boolean; failed: FailedCall }

/** Null if no request was sent. */
export interface CallRecord {
  request: unknown
  answer: unknown
  httpStatus: number | null
  attempts: number
  durationMs: number
}

/** Includes all pages and attempts. Failures are values. */
export async function callTool(
  outbound: Outbound,
  target: ConnectionTarget,
  tool: ConnectorTool,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<{ result: CallResult; record: CallRecord | null }> {
  const { definition } = target
  const started = performance.now()
  const redactor = createRedactor(target)
  const fail = (failed: FailedCall, isOurs: boolean): CallResult => ({
    ok: false,
    text: redactor.text(failureText(definition, failed)),
    isOurs,
    failed,
  })
  let template: RequestTemplate
  try {
    template = typeof tool.request === 'function' ? tool.request(input as never) : tool.request
    // An unsendable call must wait for nothing.
    buildRequest(target, template, input, options.idempotencyKey)
  } catch (error) {
    return { result: fail(unsentCall(error), true), record: null }
  }
  const retries = {
    ...options,
    effect: tool.effect,
    isKeyed: isKeyed(template),
    remainingWait: { leftMs: WAIT_MS_MAX },
  }
  const read = await readPages(outbound, target, { tool, template, input }, retries)
  const record = {
    request: recordedRequest(redactor, read.request, read.pages),
    answer: recordedAnswer(redactor, read.answer),
    httpStatus: read.answer?.status ?? null,
    attempts: read.attempts,
    durationMs: Math.round(performance.now() - started),
  }
  const result: CallResult = read.failure
    ? fail(failedCall(read, read.failure, tool), read.answer === null)
    : { ok: true, value: redactor.value(read.value) }
  return { result, record }
}

const failedCall = (read: ReadPages, failure: Failure, { effect }: ConnectorTool): FailedCall => ({
  failure,
  httpStatus: read.answer?.status ?? null,
  retryAt: read.retryAt,
  mayHaveHappened: effect !== 'read' && failure.means === 'unreachable',
})

/** The model reads the thrown message. */
function unsentCall(error: unknown): FailedCall {
  const base = { httpStatus: null, retryAt: null, mayHaveHappened: false, isUnsent: true } as const
  if (error instanceof MissingValueError)
    return {
      ...base,
      failure: { means: 'invalid', code: null, message: `${error.path} is required for this call` },
    }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) throw error
  return { ...base, failure: { means: 'invalid', code: null, message: error.message } }
}

const BYTES_MAX = 16_384
/** Not stored. Other values are redacted. */
const OMITTED_HEADERS = /^(authorization|accept|content-type|user-agent|cookie)$/i

/** Without secrets, and at most 16 KB. */
function recordedRequest(redactor: Redactor, request: BuiltRequest, pages: number) {
  const { method, url, headers, body } = request
  const storedHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.test(name)),
  )
  return limitSize(
    redactor.value({
      method,
      url,
      ...(Object.keys(storedHeaders).length > 0 && { headers: storedHeaders }),
      ...(body !== undefined && { body: bodyOf(body) }),
      ...(pages > 1 && { pages }),
    }),
  )
}

const recordedAnswer = (redactor: Redactor, answer: ProviderAnswer | null) =>
  answer && limitSize(redactor.value({ status: answer.status, body: answer.body }))

function bodyOf(body: string | Uint8Array): unknown {
  if (typeof body !== 'string') return `[${body.length} bytes]`
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function limitSize(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) <= BYTES_MAX) return value
  // Leaves room: the text becomes a JSON string again.
  return { cut: true, beginning: clip(text, BYTES_MAX - 100).text }
}

interface FailedCall {
  failure: Failure
  httpStatus: number | null
  retryAt: Date | null
  /** The provider may have acted without confirming it. */
  mayHaveHappened: boolean
  /** Nothing was sent. */
  isUnsent?: true
}

function failureText({ name }: Pick<ConnectorDefinition, 'name'>, failed: FailedCall): string {
  const { failure, httpStatus, retryAt, mayHaveHappened } = failed
  const codes = [failure.code === failure.message ? null : failure.code, httpStatus].filter(
    (code) => code !== null && code !== '',
  )
  const message = failure.message.replace(/(?<! )\.$/, '')
  if (failed.isUnsent) return `This call was not sent to ${name}: ${message}.`
  const detail = `${message}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`
  const parts = [`${name} ${VERBS[failure.means]}: ${detail}.`]
  if (failure.means === 'slow_down')
    parts.push(
      retryAt ? `Try again after ${retryAt.toISOString()}, not earlier.` : 'Try again in a few minutes.',
    )
  if (failure.means === 'forbidden') parts.push('The account may lack permission for it.')
  if (mayHaveHappened) parts.push(MAY_HAVE_HAPPENED)
  return parts.join(' ')
}

const VERBS: Record<Failure['means'], string> = {
  expired: 'no longer accepts this connection’s credentials',
  revoked: 'no longer accepts this connection’s credentials',
  slow_down: 'limits requests',
  not_found: 'did not find this',
  forbidden: 'refused this',
  invalid: 'refused this',
  failed: 'refused this',
  unreachable: 'could not be reached or failed',
}
