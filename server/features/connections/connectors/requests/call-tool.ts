import type { Outbound } from '../../../../outbound/outbound.ts'
import type { ConnectorTool } from '../definition/definition.ts'
import { isKeyed, type RequestTemplate } from '../definition/request-template.ts'
import { buildRequest } from './build-request.ts'
import { recordedAnswer, recordedRequest } from './call-record.ts'
import type { Failure } from './failure.ts'
import { type FailedCall, failureText } from './failure-text.ts'
import { type ReadPages, readPages } from './read-pages.ts'
import { redactorOf } from './redact.ts'
import type { RetryOptions } from './send-with-retries.ts'
import type { ConnectionTarget } from './target.ts'
import { MissingValueError } from './template.ts'

/** A call waits this long in total for a provider that limits requests. */
const WAIT_MS_MAX = 60_000

export interface CallOptions extends Pick<RetryOptions, 'signal' | 'now' | 'slot'> {
  /** All attempts of a call have the same key. */
  idempotencyKey: string
}

export type CallResult =
  | { ok: true; value: unknown }
  /** `text` describes the failure, with the message of the provider; `isOurs` if the provider sent none. */
  | { ok: false; text: string; isOurs: boolean; failed: FailedCall }

/** The record of a call, without secrets. Null if no request was sent. */
export interface CallRecord {
  request: unknown
  answer: unknown
  httpStatus: number | null
  attempts: number
  durationMs: number
}

/** Calls a tool of a connector: all of its pages and attempts. Failures are values. */
export async function callTool(
  outbound: Outbound,
  target: ConnectionTarget,
  tool: ConnectorTool,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<{ result: CallResult; record: CallRecord | null }> {
  const { definition } = target
  const started = performance.now()
  const redactor = redactorOf(target)
  const fail = (failed: FailedCall, isOurs: boolean): CallResult => ({
    ok: false,
    text: redactor.text(failureText(definition, failed)),
    isOurs,
    failed,
  })
  let template: RequestTemplate
  try {
    template = typeof tool.request === 'function' ? tool.request(input as never) : tool.request
    // Checked before the first page, so that a call that cannot be sent waits for nothing.
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

/** A function of a definition refuses an input with an error, whose message the model reads. */
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
