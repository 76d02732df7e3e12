import { APICallError, RetryError } from 'ai'
import { describe, expect, test } from 'vitest'
import { classifyFailure } from './failures.ts'

const refusal = (statusCode: number, body: unknown = {}, responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: (body as { error?: { message?: string } }).error?.message ?? 'refused',
    url: 'https://api.example/v1',
    requestBodyValues: { prompt: 'secret prompt' },
    statusCode,
    responseHeaders,
    responseBody: JSON.stringify(body),
  })
const errorBody = (message: string, rest: object = {}) => ({ error: { message, ...rest } })

describe('refusal by status', () => {
  test.each([
    [401, {}, 'rejected_key', false],
    [403, {}, 'rejected_key', false],
    [403, errorBody('Your input was flagged', { code: 'content_policy_violation' }), 'refused', false],
    [402, {}, 'no_credit', false],
    [429, {}, 'rate_limited', true],
    [429, errorBody('You exceeded your current quota', { code: 'insufficient_quota' }), 'no_credit', false],
    [400, errorBody('Your credit balance is too low to access the API'), 'no_credit', false],
    [404, errorBody('The model `gpt-9` does not exist', { code: 'model_not_found' }), 'unknown_model', false],
    [400, errorBody('Invalid schema for function read'), 'invalid_request', false],
    [422, {}, 'invalid_request', false],
    [307, {}, 'invalid_request', false],
    [408, {}, 'overloaded', true],
    [500, {}, 'overloaded', true],
    [503, {}, 'overloaded', true],
    [529, {}, 'overloaded', true],
  ])('%i %o is %s', (status, body, kind, isRetryable) =>
    expect(classifyFailure(refusal(status, body))).toMatchObject({ kind, isRetryable, status }),
  )
})

describe('overlong prompt', () => {
  test.each([
    ['OpenAI', 400, errorBody('Input exceeds', { code: 'context_length_exceeded' })],
    ['Anthropic', 400, errorBody('prompt is too long: 210000 tokens > 200000 maximum')],
    [
      'Anthropic, by bytes',
      413,
      errorBody('Request exceeds the maximum size', { type: 'request_too_large' }),
    ],
    [
      'Google',
      400,
      errorBody('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    ],
    [
      'vLLM',
      400,
      errorBody("This model's maximum context length is 4096 tokens. However, you requested 5000"),
    ],
    [
      'llama.cpp',
      400,
      errorBody('the request exceeds the available context size', { type: 'exceed_context_size_error' }),
    ],
    ['LM Studio', 400, errorBody('The context length of 4096 was exceeded, overflow')],
    ['Groq', 400, errorBody('Please reduce the length of the messages or completion.')],
  ])('is recognized for %s', (_, status, body) =>
    expect(classifyFailure(refusal(status, body))).toMatchObject({
      kind: 'context_too_long',
      isRetryable: false,
    }),
  )

  test('is not assumed when the provider limits tokens per minute', () =>
    expect(
      classifyFailure(refusal(429, errorBody('would exceed the limit of your context window'))),
    ).toMatchObject({
      kind: 'rate_limited',
    }))
})

describe('retry delay', () => {
  const now = Date.now()
  test.each([
    [{ 'retry-after': '7' }, {}, 7000],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, {}, 1500],
    [{ 'retry-after': '99999999' }, {}, 3_600_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, {}, 0],
    [{}, errorBody('quota', { details: [{ retryDelay: '34.5s' }] }), 34_500],
    [{ 'retry-after': 'soon' }, {}, null],
    [{}, {}, null],
  ] as [Record<string, string>, object, number | null][])(
    'is read from %o and %o',
    (headers, body, expected) =>
      expect(classifyFailure(refusal(429, body, headers)).retryAfterMs).toBe(expected),
  )

  test('may be a date', () => {
    const headers = { 'retry-after': new Date(now + 60_000).toUTCString() }
    const { retryAfterMs } = classifyFailure(refusal(503, {}, headers))
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  test('is null for a failure that is not retryable', () =>
    expect(classifyFailure(refusal(401, {}, { 'retry-after': '7' })).retryAfterMs).toBeNull())
})

describe('error inside a stream', () => {
  test.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
    [{ type: 'rate_limit_error', message: 'slow down' }, 'rate_limited'],
    [{ type: 'server_error', message: 'The server had an error', code: null }, 'overloaded'],
    [{ code: 503, status: 'UNAVAILABLE', message: 'try later' }, 'overloaded'],
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'x' }, 'rate_limited'],
    [{ type: 'authentication_error', message: 'x' }, 'rejected_key'],
    [{ type: 'invalid_request_error', message: 'bad' }, 'invalid_request'],
    [{ type: 'invalid_request_error', message: 'prompt is too long: 3 > 2' }, 'context_too_long'],
    ['Rate limit reached for requests', 'rate_limited'],
    ['the request exceeds the available context size', 'context_too_long'],
    ['something else', 'interrupted'],
    [undefined, 'interrupted'],
  ])('%o is %s', (error, kind) => expect(classifyFailure(error)).toMatchObject({ kind }))
})

describe('error thrown by the iterator', () => {
  const caused = (message: string, code?: string) =>
    new TypeError(message, { cause: Object.assign(new Error('cause'), { code }) })
  test.each([
    [caused('terminated', 'UND_ERR_SOCKET'), 'interrupted', true],
    [caused('fetch failed', 'ECONNREFUSED'), 'unreachable', true],
    [caused('fetch failed', 'ENOTFOUND'), 'unreachable', true],
    [new DOMException('aborted', 'AbortError'), 'canceled', false],
    [new DOMException('timeout', 'TimeoutError'), 'timed_out', true],
    [new Error('inside.example resolves to a non-public IP address'), 'invalid_request', false],
  ])('%s is %s', (error, kind, isRetryable) =>
    expect(classifyFailure(error)).toMatchObject({ kind, isRetryable, status: null }),
  )

  test("is found inside the SDK's retry error", () => {
    const error = new RetryError({ message: 'failed', reason: 'maxRetriesExceeded', errors: [refusal(529)] })
    expect(classifyFailure(error)).toMatchObject({ kind: 'overloaded', status: 529 })
  })
})

describe('failure message', () => {
  test('quotes the provider where helpful, on one line, without text that looks like a key', () =>
    expect(
      classifyFailure(refusal(400, errorBody('Invalid\n schema, key sk-proj-abcdefgh12345678'))).message,
    ).toBe('The provider rejected the request (HTTP 400): Invalid schema, key [redacted]'))

  test.each([
    [429, 'The provider is limiting requests (HTTP 429): Slow down'],
    [500, 'The provider had an internal error (HTTP 500): Slow down'],
    [502, 'The provider had an internal error (HTTP 502): Slow down'],
    [503, 'The provider is overloaded (HTTP 503): Slow down'],
    [529, 'The provider is overloaded (HTTP 529): Slow down'],
    [402, 'The provider account has no credit left (HTTP 402): Slow down'],
  ])("tells %i apart, with the status and the provider's words", (status, message) =>
    expect(classifyFailure(refusal(status, errorBody('Slow down'))).message).toBe(message),
  )

  test('never quotes the provider about keys and never names an IP address', () => {
    expect(classifyFailure(refusal(401, errorBody('Incorrect API key provided: abc'))).message).not.toContain(
      'abc',
    )
    const error = new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:80'), { code: 'ECONNREFUSED' }),
    })
    expect(classifyFailure(error).message).toBe('The provider is unreachable')
  })

  test('is limited in length', () =>
    expect(classifyFailure(refusal(400, errorBody('x'.repeat(100_000)))).message.length).toBeLessThan(600))
})
