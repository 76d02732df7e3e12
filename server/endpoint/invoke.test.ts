import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpointsByName } from '../../contract/index.ts'
import type { Caller } from '../context.ts'
import { newId } from '../security/ids.ts'
import { CALLER_DEFAULTS } from '../testing/factories/caller.ts'
import type { Person } from '../testing/factories/factories.ts'
import { countObjects } from '../testing/factories/uploads.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import type { Call } from './call.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const callerOf = ({ id, orgId }: Person, fields: Partial<Caller> = {}): Caller => ({
  ...CALLER_DEFAULTS,
  via: 'key',
  credentialId: newId(),
  userId: id,
  orgId,
  scopes: ['models:read', 'files:read', 'files:write'],
  ...fields,
})

const ORIGIN = { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null }

const invoke = async (name: EndpointName, caller: Caller | null, call: Partial<Call> = {}) => {
  const result = await app.app.invoke(name, { caller, origin: ORIGIN, params: {}, query: {}, ...call })
  return { ...result, json: JSON.parse(result.body) }
}

async function createMember() {
  const { person, client, headers } = await app.newUser()
  return { person, client, headers, caller: callerOf(person) }
}

test('invoke returns the response that HTTP sends', async () => {
  const { caller, client, headers } = await createMember()
  const { id } = await client.feedback.submit({ message: 'Hello' })
  const result = await invoke('feedback.get', caller, { params: { id } })
  const response = await app.request('GET', `/api/v1/feedback/${id}`, { headers })
  expect([result.status, result.body]).toEqual([response.status, response.text])
  expect(result.headers.etag).toBe(response.headers.get('etag'))
})

describe('permit', () => {
  test('refuses a call without a caller', async () => {
    await expect(invoke('feedback.list', null)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('refuses a caller without the scope', async () => {
    const { person } = await createMember()
    const call = invoke('files.list', callerOf(person, { scopes: ['models:read'] }))
    await expect(call).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'missing_scope', required: ['files:read'] },
    })
  })

  test('refuses a session that is not stepped up', async () => {
    const { person } = await createMember()
    const caller = callerOf(person, { via: 'session', scopes: 'all', stepUpMethods: ['password'] })
    const call = invoke('apiKeys.create', caller, { body: { name: 'Key' } })
    await expect(call).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'step_up_required', methods: ['password'] },
    })
  })

  test.each([true, 'true', 'yes', '', 0, null, ['false', 'true']])(
    'requires step-up for permanent deletion with permanent=%j',
    async (permanent) => {
      const { person } = await createMember()
      const caller = callerOf(person, { via: 'session', scopes: 'all' })
      const call = invoke('files.remove', caller, { params: { id: newId() }, query: { permanent } })
      await expect(call).rejects.toMatchObject({ details: { reason: 'step_up_required' } })
    },
  )

  test.each([false, 'false', undefined])('requires no step-up with permanent=%j', async (permanent) => {
    const { caller } = await createMember()
    const call = invoke('files.remove', caller, { params: { id: newId() }, query: { permanent } })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test("hides another organization's records", async () => {
    const [owner, stranger] = [await createMember(), await createMember()]
    const { id } = await owner.client.feedback.submit({ message: 'Hello' })
    const call = invoke('feedback.get', stranger.caller, { params: { id } })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await invoke('feedback.list', stranger.caller)).json.total).toBe(0)
  })
})

describe('limit', () => {
  test('counts calls together with HTTP requests and returns its headers', async () => {
    const { caller, client } = await createMember()
    await client.feedback.submit({ message: 'over HTTP' })
    const submit = () => invoke('feedback.submit', caller, { body: { message: 'm' } })
    const { headers } = await submit()
    expect(headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '8' })
    for (let n = 0; n < 8; n++) await submit()
    await expect(submit()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      headers: { 'ratelimit-remaining': '0', 'retry-after': '6' },
    })
  })

  test("doesn't count calls that permit refuses", async () => {
    const { caller } = await createMember()
    for (let n = 0; n < 12; n++) await invoke('feedback.submit', null).catch(() => {})
    const { headers } = await invoke('feedback.submit', caller, { body: { message: 'm' } })
    expect(headers['ratelimit-remaining']).toBe('9')
  })
})

describe('parse', () => {
  test('refuses unknown fields by name, all in one error', async () => {
    const { caller } = await createMember()
    const call = invoke('feedback.submit', caller, { query: { limt: 5 }, body: { mesage: 'm' } })
    await expect(call).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [
        { path: 'query.limt', message: 'is not a known field' },
        { path: 'body.message', message: 'is required' },
        { path: 'body.mesage', message: 'is not a known field' },
      ],
    })
  })

  test('accepts numbers and booleans in the query', async () => {
    const { caller } = await createMember()
    const query = { limit: 5, trashed: true, search: undefined }
    expect(await invoke('files.list', caller, { query })).toMatchObject({ status: 200 })
  })
})

test('invoke replays the response to a call with the same idempotency key, including over HTTP', async () => {
  const { caller, headers } = await createMember()
  const body = { message: 'Hello' }
  const submit = () => invoke('feedback.submit', caller, { body, idempotencyKey: 'once' })
  const first = await submit()
  const second = await submit()
  const third = await app.request('POST', '/api/v1/feedback', {
    headers: { ...headers, 'idempotency-key': 'once' },
    body,
  })
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect([second.body, third.text]).toEqual([first.body, first.body])
  expect((await invoke('feedback.list', caller)).json.total).toBe(1)
})

test("invoke stores a form's file and discards it if a later field is invalid", async () => {
  const { caller, person } = await createMember()
  const upload = (parentId: string) => {
    async function* content() {
      yield Buffer.from('Hello')
    }
    async function* form() {
      const file = { name: 'note.txt', mimeType: 'text/plain', content: content() }
      yield { kind: 'file' as const, name: 'file', file }
      yield { kind: 'field' as const, name: 'parentId', value: parentId }
    }
    return invoke('files.create', caller, { form: form() })
  }
  expect(await upload('')).toMatchObject({ status: 201, json: { data: { name: 'note.txt', size: 5 } } })
  await expect(upload('nonsense')).rejects.toMatchObject({ message: 'body.parentId must be a UUID' })
  expect(await countObjects(app, person.orgId)).toEqual({ known: 1, unfinished: 0 })
})

/** Redirects a browser to the dashboard regardless of its input, since providers return without `state` too. */
const REDIRECTING = 'connections.callback'
const endpointNames = (Object.keys(endpointsByName) as EndpointName[]).filter((name) => name !== REDIRECTING)

test.each(endpointNames)('invoke finds %s by name and refuses an invalid call', async (name) => {
  const call = { caller: null, origin: ORIGIN, params: {}, query: { surprise: true } }
  await expect(app.app.invoke(name, call)).rejects.toMatchObject({
    code: expect.stringMatching(/^(UNAUTHORIZED|BAD_REQUEST|NOT_FOUND)$/),
  })
})
