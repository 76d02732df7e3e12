import { describe, expect, test } from 'vitest'
import {
  json,
  type Reply,
  readingTool,
  scriptedProviders,
} from '../../../../testing/fakes/scripted-providers.ts'
import { TEST_TOKEN } from '../../../../testing/fakes/test-connector.ts'
import type { ConnectorDefinition, ConnectorTool } from '../definition/definition.ts'

const { provider, call, seen } = scriptedProviders()
const create = (overrides: Partial<ConnectorTool> = {}) =>
  readingTool({
    effect: 'once',
    request: { method: 'POST', path: '/items', json: { id: { $: 'id' } } },
    ...overrides,
  })

describe('a provider that limits requests', () => {
  test.each<[string, Record<string, string>, Partial<ConnectorDefinition>]>([
    ['seconds', { 'retry-after': '0' }, {}],
    ['a date', { 'retry-after': 'Mon, 16 Nov 2020 15:00:00 GMT' }, {}],
    ['milliseconds', { 'x-wait': '20' }, { retryAfter: { header: 'x-wait', unit: 'milliseconds' } }],
    ['an epoch', { 'x-reset': '1600000000' }, { retryAfter: { header: 'x-reset', unit: 'epoch' } }],
  ])(
    'gets the request again at the time it names in %s, even for a call that acts once',
    async (_unit, headers, definition) => {
      const url = await provider(json({ message: 'slow' }, 429, headers), json({ id: 1 }, 201))
      const { result, record } = await call(url, create(), { id: 'a' }, definition)
      expect(result).toEqual({ ok: true, value: { id: 1 } })
      expect(record).toMatchObject({ attempts: 2, httpStatus: 201 })
    },
  )

  test('is not waited for if retry-after exceeds a minute; the text names the time', async () => {
    const url = await provider(json({ message: 'Too many' }, 429, { 'retry-after': '1000000000' }))
    const { result } = await call(url, readingTool())
    expect(result).toMatchObject({
      ok: false,
      text: expect.stringMatching(
        /^Desk limits requests: Too many \(429\)\. Try again after 20\d\d-.*Z, not earlier\.$/,
      ),
    })
    expect(seen).toHaveLength(1)
  })
})

describe('the request after a provider fault', () => {
  const failing = (headers = {}) => provider(json({ message: 'oops' }, 503, headers), json({ id: 1 }))

  test('is repeated for reads, idempotent calls and calls with an idempotency key, and never for others', async () => {
    const now = { 'retry-after': '0' }
    const broken = () => provider(json({ message: 'oops' }, 500, now), json({ id: 1 }))
    expect((await call(await broken(), readingTool())).record).toMatchObject({ attempts: 2 })
    expect((await call(await broken(), create({ effect: 'idempotent' }))).record).toMatchObject({
      attempts: 2,
    })
    const request = {
      method: 'POST',
      path: '/items',
      json: {},
      idempotencyHeader: 'idempotency-key',
    } as const
    expect((await call(await broken(), create({ request }))).record).toMatchObject({ attempts: 2 })
    expect(seen.slice(-2).map(({ headers }) => headers['idempotency-key'])).toEqual(['run:1:1', 'run:1:1'])
    const mutation = {
      method: 'POST',
      path: '/graphql',
      graphql: { query: 'mutation ($key: String!) { x(key: $key) }' },
      idempotencyVariable: 'key',
    } as const
    expect((await call(await broken(), create({ request: mutation }))).record).toMatchObject({ attempts: 2 })
    expect(seen.slice(-2).map(({ body }) => JSON.parse(body).variables)).toEqual([
      { key: 'run:1:1' },
      { key: 'run:1:1' },
    ])
    const { result, record } = await call(await broken(), create())
    expect(record).toMatchObject({ attempts: 1, httpStatus: 500 })
    expect(result).toMatchObject({
      ok: false,
      text: expect.stringContaining('It may or may not have happened'),
    })
  })

  test('is repeated after a 503 for a call that acts once only if the provider sends retry-after', async () => {
    expect((await call(await failing({ 'retry-after': '0' }), create())).record).toMatchObject({
      attempts: 2,
    })
    expect((await call(await failing(), create())).record).toMatchObject({ attempts: 1 })
  })
})

describe('a refusal', () => {
  test("is returned as text with the provider's code, without the token the provider echoes", async () => {
    const message = `Validation Failed for ${TEST_TOKEN}`
    const url = await provider(json({ message, code: 'invalid_title' }, 422))
    const { result } = await call(url, create())
    expect(result).toMatchObject({
      ok: false,
      isOurs: false,
      text: 'Desk refused this: Validation Failed for [redacted] (invalid_title, 422).',
    })
  })

  test('is not repeated, and a redirect is not followed', async () => {
    const url = await provider((response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/steal' }).end(),
    )
    const { result, record } = await call(url, readingTool())
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('status 302') })
    expect(record).toMatchObject({ attempts: 1 })
  })
})

describe("a connection's token", () => {
  const encodings = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    Buffer.from(secret).toString('base64'),
    Buffer.from(`someone:${secret}`).toString('base64'),
    Buffer.from(`ab${secret}cd`).toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ]

  test('appears in no encoding in the value, the stored request or the stored answer', async () => {
    const echoed = {
      list: encodings(TEST_TOKEN),
      [TEST_TOKEN]: 'as a name',
      html: `<a>${TEST_TOKEN}</a>\0\ud800`,
    }
    const url = await provider(json(echoed))
    const request = {
      method: 'POST',
      path: '/items/{credentials.token}',
      query: { token: { $: 'credentials.token' } },
      headers: { 'x-copy': 'Token {credentials.token}' },
      json: { token: { $: 'credentials.token' }, id: { $: 'id' } },
    } as const
    const { result, record } = await call(url, create({ request }), { id: TEST_TOKEN })
    expect(seen[0]!.headers['x-token']).toBeDefined()
    const stored = JSON.stringify({ result, record })
    for (const form of encodings(TEST_TOKEN)) expect(stored).not.toContain(JSON.stringify(form).slice(1, -1))
    expect(record!.request).toMatchObject({
      url: expect.stringMatching(/\/v1\/items\/\[redacted\]\?token=\[redacted\]$/),
      headers: { 'x-copy': 'Token [redacted]', 'x-token': '[redacted]' },
      body: { token: '[redacted]', id: '[redacted]' },
    })
    expect(stored).toContain('\ufffd')
    expect(stored).not.toMatch(/\\u0000|\\ud800/)
  })
})

describe('an answer', () => {
  test('is truncated from 100 MB to 1 MB: reads fail, writes report success', async () => {
    const chunk = `["${'x'.repeat(1_000_000)}",`
    const huge: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      let left = 100
      const write = () => {
        while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', write)
        response.end()
      }
      write()
    }
    const url = await provider(huge)
    const { result, record } = await call(url, readingTool())
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('larger than 1 MB') })
    expect(Buffer.byteLength(JSON.stringify(record!.answer))).toBeLessThanOrEqual(16_384)
    expect((await call(url, create())).result).toMatchObject({
      ok: true,
      value: { note: expect.stringContaining('larger than 1 MB') },
    })
  })

  test('fails as canceled if it never arrives and the run is aborted', async () => {
    const abort = new AbortController()
    const url = await provider(() => abort.abort())
    const { result } = await call(url, readingTool(), {}, { signal: abort.signal })
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining('canceled') })
    expect(seen).toHaveLength(1)
  })

  test('is truncated if its nesting would overflow the stack', async () => {
    const url = await provider((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    )
    const { result } = await call(url, readingTool({ answer: { pick: ['a.b'] } }))
    expect(JSON.stringify(result)).toContain('[too deep]')
  })

  test('is returned unchanged if no definition describes it', async () => {
    const url = await provider(json({ surprise: true }))
    const map = (answer: unknown) => (answer as { items: string[] }).items.map(String)
    expect((await call(url, readingTool({ answer: { map } }))).result).toEqual({
      ok: true,
      value: { surprise: true },
    })
  })
})

test('a missing path value is named before anything is sent', async () => {
  const url = await provider(json({}))
  const request = { method: 'GET', path: '/items/{id}' } as const
  expect(await call(url, readingTool({ request }))).toMatchObject({
    result: {
      ok: false,
      isOurs: true,
      text: 'This call was not sent to Desk: id is required for this call.',
    },
    record: null,
  })
  expect(seen).toEqual([])
})
