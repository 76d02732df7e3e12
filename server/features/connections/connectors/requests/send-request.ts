import type { Outbound } from '../../../../outbound/outbound.ts'
import type { RequestTemplate, Scope } from '../definition/template.ts'
import { type BuiltRequest, buildRequest, type ConnectionTarget, isUnsendable } from './build-request.ts'
import { type Failure, findProviderFailure, type ProviderAnswer } from './failure.ts'
import { createRedactor } from './redact.ts'

const TIMEOUT_MS = 30_000
const BYTES_MAX = 1_048_576

export type Exchange =
  | { ok: true; answer: ProviderAnswer; durationMs: number }
  | { ok: false; failure: Failure; answer: ProviderAnswer | null; durationMs: number }

export interface SendOptions {
  input?: Scope
  idempotencyKey?: string
  signal?: AbortSignal
  /** Default 1 MB. */
  bytesMax?: number
}

/** No retries. Failures are values. */
export async function sendRequest(
  outbound: Outbound,
  target: ConnectionTarget,
  template: RequestTemplate,
  { input = {}, idempotencyKey, signal, bytesMax = BYTES_MAX }: SendOptions = {},
): Promise<Exchange> {
  let request: BuiltRequest
  try {
    request = buildRequest(target, template, input, idempotencyKey)
  } catch (error) {
    if (!isUnsendable(error)) throw error
    const failure = { means: 'invalid' as const, code: null, message: error.message }
    return { ok: false, failure: withoutSecrets(target, failure), answer: null, durationMs: 0 }
  }
  return sendBuilt(outbound, target, request, signal, bytesMax)
}

/** Failure text contains no secret. */
export async function sendBuilt(
  outbound: Outbound,
  target: ConnectionTarget,
  request: BuiltRequest,
  signal?: AbortSignal,
  bytesMax = BYTES_MAX,
): Promise<Exchange> {
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax }
  const outcome = await outbound.request({ ...request, ...limits, ...(signal && { signal }) })
  const { durationMs } = outcome
  if (outcome.kind === 'failure') {
    return {
      ok: false,
      failure: { means: 'unreachable', code: null, message: outcome.error },
      answer: null,
      durationMs,
    }
  }
  const { status, headers, body: bytes, truncated } = outcome.response
  const body = parse(bytes, headers['content-type'] ?? '')
  const answer = { status, headers, bytes, body, truncated }
  const failure = findProviderFailure(target.definition, answer)
  return failure
    ? { ok: false, failure: withoutSecrets(target, failure), answer, durationMs }
    : { ok: true, answer, durationMs }
}

function withoutSecrets(target: ConnectionTarget, failure: Failure): Failure {
  const { text } = createRedactor(target)
  return {
    ...failure,
    code: failure.code === null ? null : text(failure.code),
    message: text(failure.message),
  }
}

function parse(bytes: Buffer, contentType: string): unknown {
  const text = bytes.toString('utf8').replaceAll('\0', '\uFFFD')
  if (!/[/+]json\b/.test(contentType) && !/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
