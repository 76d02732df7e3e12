import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const post = async (body: unknown, headers?: Record<string, string>) =>
  app.request('POST', '/api/v1/projects', { headers: headers ?? (await app.newUser()).headers, body })

describe('POST /projects', () => {
  test('returns 201 with the complete project', async () => {
    const { org, person, headers } = await app.newUser()
    const fields = { name: ' Launch plan ', description: 'For autumn', prompt: ' Be brief.\n', emoji: '🚀' }
    const { status, body } = await post(fields, headers)
    expect(status).toBe(201)
    const now = body.createdAt
    expect(body).toEqual({
      id: expect.any(String),
      orgId: org.id,
      workspaceId: org.workspaceId,
      userId: person.id,
      name: 'Launch plan',
      slug: 'launch-plan',
      description: 'For autumn',
      prompt: ' Be brief.\n',
      emoji: '🚀',
      visibility: 'team',
      status: 'active',
      tags: [],
      metadata: {},
      folderId: expect.any(String),
      spend: { amount: '0.000000', currency: 'USD' },
      canEdit: true,
      lastActivityAt: now,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      purgesAt: null,
    })
  })

  test.each([
    ['an empty body', {}],
    ['empty strings', { name: '', description: '' }],
    ['blank strings', { name: ' \n', description: '\t' }],
    ['null', { name: null, description: null }],
    ['only other fields', { emoji: '🚀', prompt: 'Be brief' }],
  ])('Rule 2: is BAD_REQUEST if both name and description are empty: %s', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'body must have a name or a description',
    })
  })

  test('Rule 3: creates a protected folder named after the project and links it to the active workspace', async () => {
    const { person, org, client } = await app.newUser()
    const { id, folderId, workspaceId } = await client.projects.create({ name: 'Launch plan' })
    expect(workspaceId).toBe(org.workspaceId)
    const { files } = await app.withKey(person, ['files:read'])
    expect((await files.list({})).items).toMatchObject([
      { id: folderId, name: 'Launch plan', source: 'folder', protected: true, projectId: id },
    ])
    expect((await client.projects.list({ workspaceId })).items.map((item) => item.id)).toEqual([id])
  })

  test("creates the project in the session's active workspace", async () => {
    const org = await app.organization()
    const person = await app.person(org)
    const otherWorkspaceId = await app.workspace(org)
    await app.setWorkspaceRole(person, otherWorkspaceId, 'editor')
    const browser = await app.withSession(person)
    await browser.security.switch({ organizationId: org.id, workspaceId: otherWorkspaceId })
    expect((await browser.projects.create({ name: 'There' })).workspaceId).toBe(otherWorkspaceId)
  })

  test("uses the user's default visibility if the request has none", async () => {
    const { person, client } = await app.newUser()
    const browser = await app.withSession(person)
    await browser.security.updateProfile({ defaultProjectVisibility: 'private' })
    expect((await client.projects.create({ name: 'Mine' })).visibility).toBe('private')
    expect((await client.projects.create({ name: 'Ours', visibility: 'team' })).visibility).toBe('team')
  })

  test('creates nothing if creating the folder fails', async () => {
    const { org, headers } = await app.newUser()
    await app.sql`delete from folders where org_id = ${org.id}`
    expect((await post({ name: 'Half' }, headers)).status).toBe(404)
    expect(await app.sql`select from projects where org_id = ${org.id}`).toHaveLength(0)
  })
})

describe('permission to create a project', () => {
  test('is FORBIDDEN for a member without a workspace', async () => {
    const { org, person, client } = await app.newUser()
    await app.setWorkspaceRole(person, org.workspaceId, null)
    const refused = { code: 'FORBIDDEN', details: { reason: 'no_workspace' } }
    await expect(client.projects.create({ name: 'None' })).rejects.toMatchObject(refused)
    await app.sql`update memberships set default_workspace_id = null where org_id = ${org.id}`
    await expect(client.projects.create({ name: 'None' })).rejects.toMatchObject(refused)
    await expect(client.projects.list({})).rejects.toMatchObject(refused)
  })

  test('is FORBIDDEN for a workspace viewer', async () => {
    const { org, person, client } = await app.newUser()
    await app.setWorkspaceRole(person, org.workspaceId, 'viewer')
    await expect(client.projects.create({ name: 'None' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'view_only' },
    })
  })

  test('is granted to an admin in every workspace', async () => {
    const org = await app.organization()
    const admin = await app.person(org, { role: 'admin' })
    await app.setWorkspaceRole(admin, org.workspaceId, null)
    expect(await (await app.withKey(admin)).projects.create({ name: 'Any' })).toMatchObject({ canEdit: true })
  })
})

describe('Rule 12: POST /projects validation', () => {
  const x = (count: number) => '🎉'.repeat(count)
  test.each([
    ['name', x(256), 'must be at most 255 characters'],
    ['name', 7, 'must be a string'],
    ['name', 'nul\0', 'must not contain NUL or broken Unicode characters'],
    ['description', x(5001), 'must be at most 5,000 characters'],
    ['prompt', x(12_001), 'must be at most 12,000 characters'],
    ['emoji', x(17), 'must be at most 16 characters'],
    ['visibility', 'public', 'must be team or private'],
    ['status', 'active', 'is not a known field'],
    ['folderId', null, 'is not a known field'],
  ])('is BAD_REQUEST and names the invalid field %s (case %#)', async (field, value, message) => {
    const { status, body } = await post({ name: 'Launch plan', [field]: value })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: `body.${field}`, message }],
    })
  })

  test('is BAD_REQUEST for a missing, malformed or non-object body', async () => {
    expect((await post(undefined)).body.error.code).toBe('BAD_REQUEST')
    expect((await post('{')).body.error.code).toBe('BAD_REQUEST')
    expect((await post('[]')).body.error.code).toBe('BAD_REQUEST')
  })

  test('accepts fields at the maximum length', async () => {
    const full = { name: x(255), description: x(5000), prompt: x(12_000), emoji: x(16) }
    expect(await post(full)).toMatchObject({ status: 201, body: full })
  })
})

describe('project slug', () => {
  test.each([
    ['Launch plan', 'launch-plan'],
    ['  Ünï – Café #2!  ', 'uni-cafe-2'],
    ['Straße nach Łódź', 'strasse-nach-lodz'],
    ['東京 🎉', 'project'],
    ['../../etc/passwd', 'etc-passwd'],
    ["Robert'); drop table projects;--", 'robert-drop-table-projects'],
    ['x'.repeat(255), 'x'.repeat(60)],
    ['0198F3A2-7C1E-7D44-9B1A-2F6C1DE0A111', 'project-0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'],
  ])('is derived from the name %s', async (name, slug) => {
    const { client } = await app.newUser()
    const project = await client.projects.create({ name })
    expect(project.slug).toBe(slug)
    expect((await client.projects.get({ id: slug })).id).toBe(project.id)
  })

  test('gets a number if an existing or deleted project in the organization has it', async () => {
    const { client } = await app.newUser()
    const slugOf = async (name: string) => (await client.projects.create({ name })).slug
    expect(await slugOf('Plan')).toBe('plan')
    await client.projects.remove({ id: 'plan' })
    expect(await slugOf('Plan 3')).toBe('plan-3')
    expect([await slugOf('Plan'), await slugOf('plan!'), await slugOf('PLAN')]).toEqual([
      'plan-2',
      'plan-4',
      'plan-5',
    ])
    const other = await app.newUser()
    expect((await other.client.projects.create({ name: 'Plan' })).slug).toBe('plan')
  })

  test('is unique among projects created concurrently', async () => {
    const { client, person } = await app.newUser()
    const { projects } = await app.withKey(person)
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? client.projects : projects).create({ name: 'Twin' })),
    )
    const expected = ['twin', ...Array.from({ length: 19 }, (_, n) => `twin-${n + 2}`)]
    expect(created.map(({ slug }) => slug).toSorted()).toEqual(expected.toSorted())
  })

  test('gets the next free number after 700 projects with the same name', async () => {
    const { client, org, person } = await app.newUser()
    const { id, workspaceId } = await client.projects.create({ name: 'Plan' })
    await app.sql`
      insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, visibility, changed_at, created_at,
        updated_at)
      select ${org.id}, gen_random_uuid(), ${workspaceId}, ${person.id}, 'Plan', 'plan-' || n, 'plan', 'team', now(), now(),
        now()
      from generate_series(2, 700) n`
    expect((await client.projects.create({ name: 'Plan' })).slug).toBe('plan-701')
    expect((await client.projects.get({ id })).slug).toBe('plan')
  })
})

describe('Idempotency-Key', () => {
  test('creates one project for repeated requests and applies to one caller only', async () => {
    const { headers, client, org } = await app.newUser()
    const key = { 'idempotency-key': 'one' }
    const first = await post({ name: 'Plan' }, { ...headers, ...key })
    const again = await post({ name: 'Plan' }, { ...headers, ...key })
    expect(again.body).toEqual(first.body)
    expect(again.status).toBe(201)
    expect((await post({ name: 'Other' }, { ...headers, ...key })).status).toBe(400)
    expect((await client.projects.list({})).items).toHaveLength(1)
    const colleague = bearer(await app.key(await app.person(org)))
    expect((await post({ name: 'Plan' }, { ...colleague, ...key })).body.slug).toBe('plan-2')
  })
})
