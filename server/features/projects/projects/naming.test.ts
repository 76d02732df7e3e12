import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainLine } from '../../../language-models/generate-text.ts'
import { type LanguageModelServer, startLanguageModel } from '../../../testing/fakes/language-models.ts'
import { captureLog } from '../../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'sk-very-secret'
const DESCRIPTION = 'Everything for the opening of the shop in Lyon in spring'

let app: TestApp
let model: LanguageModelServer
const log = captureLog()
beforeAll(async () => {
  model = await startLanguageModel('openai')
  const env = { ATRIUM_OPENAI_URL: model.url, ATRIUM_OPENAI_API_KEY: KEY }
  app = await buildTestApp({ env, log: log.stream })
})
afterAll(() => Promise.all([app.close(), model.close()]))

const warnings = () => log.lines.filter((line) => line.includes('could not generate a project name'))

describe('Rule 1: generated project name', () => {
  test('comes from the configured language model, based on the description', async () => {
    const { client } = await app.newUser()
    model.respond({ text: '  "Lyon\n shop opening" ' })
    const project = await client.projects.create({ description: DESCRIPTION })
    expect(project).toMatchObject({
      name: 'Lyon shop opening',
      slug: 'lyon-shop-opening',
      description: DESCRIPTION,
    })
    expect(JSON.stringify(model.requests[0]!.body.messages)).toContain(DESCRIPTION)
    const { items } = await app.as(await filesKey(project.userId, project.orgId)).files.list({})
    expect(items).toMatchObject([{ name: 'Lyon shop opening', projectId: project.id }])
  })

  test('replaces a blank or null name', async () => {
    const { client } = await app.newUser()
    model.respond({ text: 'Lyon' })
    expect((await client.projects.create({ name: ' ', description: DESCRIPTION })).name).toBe('Lyon')
    expect((await client.projects.create({ name: null, description: DESCRIPTION })).name).toBe('Lyon')
  })

  test('is skipped if the request has a name', async () => {
    const { client } = await app.newUser()
    model.respond({ text: 'Lyon' })
    expect((await client.projects.create({ name: 'Paris', description: DESCRIPTION })).name).toBe('Paris')
    expect(model.requests).toEqual([])
  })

  test.each([
    ['returns an error', { status: 401 } as const],
    ['returns an invalid response', { rawBody: '<html>' } as const],
  ])(
    'is Untitled project if the model %s, with a log message that contains no secrets',
    async (_, response) => {
      const { client } = await app.newUser()
      log.lines.length = 0
      model.respond(response)
      const project = await client.projects.create({ description: DESCRIPTION })
      expect(project).toMatchObject({ name: 'Untitled project', slug: 'untitled-project' })
      expect(warnings()).toHaveLength(1)
      expect(log.lines.join('')).not.toContain(KEY)
      expect(log.lines.join('')).not.toContain('Lyon')
    },
  )

  test('is Untitled project if the model returns an empty name', async () => {
    const { client } = await app.newUser()
    model.respond({ text: ' "" \n' })
    expect((await client.projects.create({ description: DESCRIPTION })).name).toBe('Untitled project')
  })

  test('is Untitled project if the model times out, without delaying other requests', async () => {
    const { client } = await app.newUser()
    model.respond({ hangs: 'before the headers' })
    // More requests than database connections: a request that waits for the model must not occupy a connection.
    const waiting = Array.from({ length: 12 }, (_, n) =>
      app.request('POST', '/api/v1/projects', {
        headers: { ...headers, 'idempotency-key': `silent ${n}` },
        body: { description: DESCRIPTION },
      }),
    )
    await expect.poll(() => model.requests.length).toBe(12)
    expect((await client.projects.create({ name: 'Paris' })).name).toBe('Paris')
    const responses = await Promise.all(waiting)
    expect(responses.map(({ status, body }) => [status, body.name])).toEqual(
      responses.map(() => [201, 'Untitled project']),
    )
  }, 20_000)

  test('is generated once for repeated requests with the same Idempotency-Key', async () => {
    const { headers: own } = await app.newUser()
    model.respond({ text: 'Lyon' })
    const send = () =>
      app.request('POST', '/api/v1/projects', {
        headers: { ...own, 'idempotency-key': 'once' },
        body: { description: DESCRIPTION },
      })
    const first = await send()
    const second = await send()
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(model.requests).toHaveLength(1)
  })

  test('is skipped for a caller who may not create projects', async () => {
    const org = await app.organization()
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    model.respond({ text: 'Lyon' })
    const creating = (await app.withKey(viewer)).projects.create({ description: DESCRIPTION })
    await expect(creating).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'view_only' } })
    expect(model.requests).toEqual([])
  })

  let headers: Record<string, string>
  beforeAll(async () => {
    headers = (await app.newUser()).headers
  })
})

test('a project without a name is Untitled project if there is no language model', async () => {
  const appWithoutModel = await buildTestApp()
  const { client } = await appWithoutModel.newUser()
  expect((await client.projects.create({ description: DESCRIPTION })).name).toBe('Untitled project')
  await appWithoutModel.close()
})

test.each([
  ['two\r\nlines', 'two lines'],
  ['“Curly” and «pointed»', 'Curly and pointed'],
  ["'Ada’s plan'", 'Ada’s plan'],
  ['**Bold**', 'Bold'],
  ['**Renewals** before `March`', 'Renewals before March'],
  ['Notes on [Harbor](https://harbor.example)', 'Notes on Harbor'],
  ['my_file_name * 2', 'my_file_name * 2'],
  ['<think>It is\nabout a shop</think>\nShop', 'Shop'],
  ['nul\0 and \ud800 broken', 'nul and \ufffd broken'],
  [`${'🎉'.repeat(300)}`, '🎉'.repeat(255)],
  ['\u2028', ''],
])('plainLine converts the model output %j to a plain name', (output, name) =>
  expect(plainLine(output, 255)).toBe(name),
)

const filesKey = async (id: string, orgId: string) => {
  const { key } = await app.key({ id, orgId, email: '', name: '' }, ['files:read'])
  return { authorization: `Bearer ${key}` }
}
