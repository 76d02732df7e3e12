import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../../../security/digest.ts'
import { waitForBlockedBackends, whileLocked } from '../../../../testing/locks.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { createSetupToken, setUpFromConfig } from '../accounts.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const OWNER = {
  name: 'Ada Lovelace',
  email: 'Ada@Example.com',
  password: 'analytical engine',
  organizationName: 'Analysts',
}

const newToken = async () => (await createSetupToken(app.app.system()))!
const setUp = (token: string, change: object = {}) =>
  app.request('POST', '/api/v1/setup', { body: { token, ...OWNER, ...change } })
const setupNeeded = async () => (await app.as({}).accounts.setupState()).needed
const listUsers = () => app.sql`select email, is_operator from users`

describe('the setup link', () => {
  test('creates the owner, the organization and its first workspace, and signs the owner in', async () => {
    expect(await setupNeeded()).toBe(true)
    const { status, body, headers } = await setUp(await newToken())
    expect(status).toBe(201)
    expect(body).toEqual({
      user: {
        id: expect.any(String),
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        emailVerified: true,
        operator: true,
        language: null,
        settings: { defaultProjectVisibility: 'team' },
      },
      organization: { id: expect.any(String), name: 'Analysts' },
      workspace: { id: expect.any(String), name: 'General' },
      role: 'owner',
      organizations: [{ ...body.organization, role: 'owner' }],
      suspension: null,
      stepUp: { active: true, until: expect.any(String), methods: ['password'] },
    })
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    expect(await app.as({ cookie }).accounts.session()).toMatchObject({ user: body.user })
    expect(await setupNeeded()).toBe(false)
    expect(await app.sql`select action, via from audit`).toEqual([{ action: 'setup', via: 'system' }])
  })

  test("creates the organization's initial agent", async () => {
    const { headers } = await setUp(await newToken())
    const cookie = headers.get('set-cookie')!.split(';')[0]!
    const { items } = await app.as({ cookie }).agents.list({})
    expect(items).toMatchObject([
      {
        name: 'Assistant',
        version: 1,
        model: null,
        createdBy: null,
        tools: { blocks: true, files: true, memory: true, web: true, phone: false, agents: false },
      },
    ])
    expect(items[0]!.prompt).toMatch(/^You are Assistant/)
  })

  test('creates a password the owner can sign in with', async () => {
    await setUp(await newToken())
    const { email, password } = OWNER
    expect(await app.as({}).accounts.signIn({ email, password })).toMatchObject({ role: 'owner' })
  })

  test('works once', async () => {
    const token = await newToken()
    await setUp(token)
    const { status, body } = await setUp(token, { email: 'second@example.com' })
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await listUsers()).toHaveLength(1)
  })

  test('creates one owner in two concurrent requests', async () => {
    const tokens = [await newToken(), await newToken()]
    const { requests } = await whileLocked(app.sql, 'users', async () => {
      const requests = tokens.map((token, n) => setUp(token, { email: `owner${n}@example.com` }))
      await waitForBlockedBackends(app.sql, 2)
      return { requests }
    })
    const answers = await Promise.all(requests)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => [403, 409].includes(status))).toHaveLength(1)
    expect(await listUsers()).toHaveLength(1)
    expect(await app.sql`select from organizations`).toHaveLength(1)
  })

  test('is valid for 24 hours', async () => {
    const token = await newToken()
    app.clock.advance(24 * 3600 + 1)
    const { status, body } = await setUp(token)
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { reason: 'setup_link' },
    ])
    expect((await setUp(await newToken())).status).toBe(201)
  })

  test('returns FORBIDDEN for an unknown token', async () => {
    await newToken()
    expect((await setUp('made-up')).status).toBe(403)
    expect(await listUsers()).toEqual([])
  })

  test('is stored hashed', async () => {
    const token = await newToken()
    expect(await app.sql`select token_hash from setup_links`).toEqual([{ token_hash: sha256(token) }])
  })

  test.each([
    ['a short password', { password: 'elevenchars' }, 'body.password', 'must be 12 to 200 characters'],
    ['no email address', { email: 'ada' }, 'body.email', 'must be an email address'],
    ['no organization', { organizationName: '' }, 'body.organizationName', 'must be 1 to 120 characters'],
  ])('returns BAD_REQUEST for %s and stays valid', async (_, change, path, message) => {
    const token = await newToken()
    const { status, body } = await setUp(token, change)
    expect([status, body.error.details]).toEqual([400, [{ path, message }]])
    expect((await setUp(token)).status).toBe(201)
  })

  test('is not issued after an owner exists', async () => {
    await setUp(await newToken())
    expect(await createSetupToken(app.app.system())).toBeNull()
  })
})

describe('an owner from the configuration', () => {
  const owner = { email: 'ada@example.com', password: 'analytical engine' }

  test('is created at the first start and can sign in', async () => {
    expect(await setUpFromConfig(app.app.system(), owner)).toBe(true)
    expect(await setupNeeded()).toBe(false)
    expect(await app.as({}).accounts.signIn(owner)).toMatchObject({
      user: { email: 'ada@example.com', operator: true },
      role: 'owner',
      workspace: { name: 'General' },
    })
  })

  test('is ignored at later starts', async () => {
    await setUpFromConfig(app.app.system(), owner)
    expect(await setUpFromConfig(app.app.system(), { ...owner, email: 'other@example.com' })).toBe(false)
    expect(await listUsers()).toEqual([{ email: 'ada@example.com', is_operator: true }])
  })

  test('is created once by two processes that start concurrently', async () => {
    const results = await Promise.all([1, 2].map(() => setUpFromConfig(app.app.system(), owner)))
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await listUsers()).toHaveLength(1)
  })
})
