import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, type Headers, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const patch = (id: string, headers: Headers, body: unknown) =>
  app.request('PATCH', `/api/v1/projects/${id}`, { headers, body })

async function createProject() {
  const creator = await app.newUser()
  const project = await creator.client.projects.create({ name: 'Launch plan' })
  return { ...creator, project, projects: creator.client.projects }
}

describe('PATCH /projects/:id', () => {
  test('changes the fields sent, by id or slug, and no others', async () => {
    const { projects, project } = await createProject()
    const change = {
      description: 'For autumn',
      prompt: 'Be brief',
      emoji: '🚀',
      status: 'archived' as const,
      tags: [' autumn ', 'shop', 'autumn'],
      metadata: { board: { columns: [1, 2] }, note: null },
    }
    const changed = await projects.update({ id: project.slug, ...change })
    expect(changed).toEqual({ ...project, ...change, tags: ['autumn', 'shop'], updatedAt: changed.updatedAt })
    const next = await projects.update({ id: project.id, description: null, tags: [], metadata: {} })
    expect(next).toEqual({
      ...changed,
      description: null,
      tags: [],
      metadata: {},
      updatedAt: next.updatedAt,
    })
    expect(await projects.get({ id: project.id })).toEqual({ ...next, sharedWorkspaces: [] })
  })

  test('allows every status transition', async () => {
    const { projects, project } = await createProject()
    for (const status of ['archived', 'completed', 'active', 'completed', 'archived', 'active'] as const) {
      expect((await projects.update({ id: project.id, status })).status).toBe(status)
    }
  })

  test('Rule 5: renames the protected folder with the project and leaves the slug unchanged', async () => {
    const { projects, project, person } = await createProject()
    const renamed = await projects.update({ id: project.id, name: 'Größe & Co' })
    expect(renamed).toMatchObject({ name: 'Größe & Co', slug: 'launch-plan' })
    const { files } = await app.withKey(person, ['files:read'])
    expect(await files.get({ id: project.folderId! })).toMatchObject({ name: 'Größe & Co', protected: true })
    expect((await files.list({ search: 'GRÖSSE & co' })).items).toMatchObject([{ id: project.folderId }])
    expect((await projects.list({ search: 'größe' })).items).toEqual([renamed])
    expect((await projects.list({ search: 'launch' })).items).toEqual([])
  })

  test('creates a missing folder when renaming the project', async () => {
    const { projects, project } = await createProject()
    await app.sql`delete from files where id = ${project.folderId!}`
    await app.sql`delete from folders where id = ${project.folderId!}`
    const { folderId } = await projects.update({ id: project.id, name: 'Renamed' })
    expect(folderId).not.toBeNull()
    expect((await projects.get({ id: project.id })).folderId).toBe(folderId)
  })
})

describe('Rule 12: PATCH /projects/:id validation', () => {
  let fixture: Awaited<ReturnType<typeof createProject>>
  beforeAll(async () => {
    fixture = await createProject()
  })

  const nested = (levels: number): unknown => (levels === 1 ? {} : { in: nested(levels - 1) })
  test.each([
    ['name', '', 'must be 1 to 255 characters'],
    ['name', null, 'must be a string'],
    ['name', 'x'.repeat(256), 'must be 1 to 255 characters'],
    ['description', 'x'.repeat(5001), 'must be at most 5,000 characters'],
    ['prompt', 'x'.repeat(12_001), 'must be at most 12,000 characters'],
    ['emoji', 'x'.repeat(17), 'must be at most 16 characters'],
    ['status', 'deleted', 'must be one of active, archived, completed'],
    ['visibility', 'public', 'must be team or private'],
    ['tags', Array.from({ length: 31 }, (_, n) => `${n}`), 'must have at most 30 tags'],
    ['tags.1', ['fine', 'x'.repeat(81)], 'must be 1 to 80 characters'],
    ['tags.0', [' '], 'must be 1 to 80 characters'],
    ['tags', 'autumn', 'must be an array'],
    ['metadata', [], 'must be an object'],
    ['metadata', null, 'must be an object'],
    ['metadata', nested(13), 'must be nested at most 12 levels deep'],
    ['metadata', { text: 'x'.repeat(32_768) }, 'must be at most 32,768 bytes of JSON'],
    ['metadata', { text: '\0' }, 'must not contain NUL or broken Unicode characters'],
    [
      'metadata',
      { deep: [{ constructor: 1 }] },
      'must not have a key named __proto__, constructor or prototype',
    ],
    ['metadata', { prototype: {} }, 'must not have a key named __proto__, constructor or prototype'],
    ['slug', 'mine', 'is not a known field'],
    ['userId', 'me', 'is not a known field'],
  ])(
    'is BAD_REQUEST, names the invalid field %s (case %#) and changes nothing',
    async (path, value, message) => {
      const { project, headers, projects } = fixture
      const [field] = path.split('.') as [string]
      const { status, body } = await patch(project.id, headers, { [field]: value })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ code: 'BAD_REQUEST', message: `body.${path} ${message}` })
      expect(body.error.details).toContainEqual({ path: `body.${path}`, message })
      expect(await projects.get({ id: project.id })).toEqual({ ...project, sharedWorkspaces: [] })
    },
  )

  test.each([
    ['{"metadata":{"__proto__":{"admin":true}}}'],
    ['{"metadata":{"deep":[{"__proto__":1}]}}'],
    ['{"metadata":{"\\u005f_proto__":1}}'],
    ['{"__proto__":{"name":"x"},"name":"y"}'],
  ])('is BAD_REQUEST for the key __proto__ in %s', async (text) => {
    const { project, headers } = fixture
    const { status, body } = await patch(project.id, headers, text)
    expect(status).toBe(400)
    expect(body.error.code).toBe('BAD_REQUEST')
    expect(body.error.message).toContain('__proto__')
  })

  test.each([['nothing'], ['{}'], ['null']])(
    'is BAD_REQUEST for a body without a change: %s',
    async (text) => {
      const { project, headers } = fixture
      const { status, body } = await patch(project.id, headers, text === 'nothing' ? undefined : text)
      expect(status).toBe(400)
      expect(body.error.code).toBe('BAD_REQUEST')
    },
  )

  test('accepts tags and metadata at the maximum size', async () => {
    const { project, headers } = await createProject()
    const change = {
      tags: Array.from({ length: 30 }, (_, n) => '🎉'.repeat(78) + (10 + n)),
      metadata: { text: 'x'.repeat(32_768 - '{"text":""}'.length) },
    }
    expect(await patch(project.id, headers, change)).toMatchObject({ status: 200, body: change })
    expect(await patch(project.id, headers, { metadata: nested(12) })).toMatchObject({ status: 200 })
  })
})

describe('project ETag', () => {
  const read = (id: string, headers: Headers) => app.request('GET', `/api/v1/projects/${id}`, { headers })

  test('gives 304 for If-None-Match until the project changes', async () => {
    const { project, headers, projects } = await createProject()
    const etag = (await read(project.id, headers)).headers.get('etag')!
    const again = await read(project.slug, { ...headers, 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    await projects.update({ id: project.id, emoji: '🎉' })
    expect((await read(project.id, { ...headers, 'if-none-match': etag })).status).toBe(200)
  })

  test('changes with every visible field, but If-Match compares only the stored project', async () => {
    const { project, headers, org } = await createProject()
    const etag = (await read(project.id, headers)).headers.get('etag')!
    await app.sql`update projects set spend = 1.5, changed_at = now() where id = ${project.id}`
    const later = await read(project.id, { ...headers, 'if-none-match': etag })
    expect(later).toMatchObject({ status: 200, body: { spend: { amount: '1.500000', currency: 'USD' } } })
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    const viewed = await read(project.id, bearer(await app.key(viewer)))
    expect(viewed.headers.get('etag')).not.toBe(later.headers.get('etag'))
    const ok = await patch(project.id, { ...headers, 'if-match': etag }, { emoji: '🎉' })
    expect(ok.status).toBe(200)
  })

  test('makes If-Match fail with 412 after another change', async () => {
    const { project, headers, projects } = await createProject()
    const etag = (await read(project.id, headers)).headers.get('etag')!
    const first = await patch(project.id, { ...headers, 'if-match': etag }, { name: 'First' })
    expect(first.status).toBe(200)
    const second = await patch(project.id, { ...headers, 'if-match': etag }, { name: 'Second' })
    expect(second).toMatchObject({ status: 412, body: { error: { details: { reason: 'stale' } } } })
    const third = await patch(
      project.id,
      { ...headers, 'if-match': first.headers.get('etag')! },
      { emoji: '3' },
    )
    expect(third.status).toBe(200)
    expect((await patch(project.id, { ...headers, 'if-match': '"nonsense"' }, { emoji: '4' })).status).toBe(
      412,
    )
    expect((await projects.get({ id: project.id })).name).toBe('First')
  })

  test('lets one concurrent change with If-Match succeed', async () => {
    const { project, headers } = await createProject()
    const etag = (await read(project.id, headers)).headers.get('etag')!
    const responses = await Promise.all(
      ['one', 'two', 'three'].map((name) => patch(project.id, { ...headers, 'if-match': etag }, { name })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
  })
})
