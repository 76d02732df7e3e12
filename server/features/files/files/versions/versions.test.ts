import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../../testing/clients/file-client.ts'
import { countObjects, upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { applyRetention } from '../trash/retention.ts'

const DAY_S = 86_400

describe('file versions', () => {
  let app: TestApp
  let client: FileClient
  let id: string
  beforeAll(async () => {
    app = await buildTestApp()
    client = await createFileClient(app)
    id = (await upload(app, client.headers, 'first', { name: 'plan.txt', type: 'text/plain' })).body.data.id
  })
  afterAll(() => app.close())

  const versions = (headers = client.headers) => app.as(headers).fileVersions
  const putVersion = (content: string, { file = id, headers = client.headers, extraHeaders = {} } = {}) =>
    uploadVersion(app, headers, file, content, {
      name: 'other.txt',
      type: 'text/plain',
      headers: extraHeaders,
    })
  const text = async (version: number, headers = client.headers) => {
    const response = await fetch(`${app.url}/api/v1/files/${id}/versions/${version}?inline=true`, { headers })
    return response.ok ? response.text() : response.status
  }
  const numbers = async () => (await versions().list({ id })).items.map(({ version }) => version)
  const storage = async () => {
    const [row] = await app.sql<{ counted: number; actual: number }[]>`
      select (select sum(amount) from quota_usage where org_id = ${client.person.orgId} and quota = 'storage') as counted,
        (select sum(size) from (select org_id, size from files where source = 'upload'
          union all select org_id, size from file_versions) s where org_id = ${client.person.orgId}) as actual`
    expect(Number(row!.counted)).toBe(Number(row!.actual))
    return Number(row!.actual)
  }

  test('keep all former content by number; restoring one creates the next', async () => {
    const second = await putVersion('the second')
    expect(second).toMatchObject({ status: 201, body: { data: { id, name: 'plan.txt', size: 10 } } })
    const { items } = await versions().list({ id })
    expect(items).toMatchObject([
      { version: 2, current: true, size: 10, createdBy: client.person.id },
      { version: 1, current: false, size: 5 },
    ])
    expect([await text(1), await text(2), await text(3)]).toEqual(['first', 'the second', 404])
    const restored = await versions().restore({ id, version: 1 })
    expect(restored).toMatchObject({ id, size: 5 })
    expect([await numbers(), await text(3)]).toEqual([[3, 2, 1], 'first'])
    await expect(versions().restore({ id, version: 1 })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(versions().restore({ id, version: 9 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await storage()).toBe(5 + 10 + 5)
    const page = await versions().list({ id, limit: 2 })
    const lastPage = await versions().list({ id, limit: 2, cursor: page.nextCursor! })
    expect([page.items.length, lastPage.items.map(({ version }) => version)]).toEqual([2, [1]])
  })

  test('are refused if the content, access or state does not allow them', async () => {
    const folder = await client.folder('Folder')
    const link = await client.link(id)
    const stored = await countObjects(app, client.person.orgId)
    expect((await putVersion('x', { file: folder.id })).body.error.code).toBe('BAD_REQUEST')
    expect((await putVersion('x', { file: link.id })).body.error.code).toBe('BAD_REQUEST')
    expect((await putVersion('MZ\0\0')).body.error.code).toBe('BAD_REQUEST')
    expect((await putVersion('x', { extraHeaders: { 'if-match': '"1"' } })).body.error.code).toBe(
      'PRECONDITION_FAILED',
    )
    const readOnly = bearer(await app.key(client.person, ['files:read']))
    expect((await putVersion('x', { headers: readOnly })).body.error.code).toBe('FORBIDDEN')
    expect((await versions(readOnly).list({ id: link.id })).items).toHaveLength(3)
    // The object that was stored before the refusal is removed.
    expect(await countObjects(app, client.person.orgId)).toEqual(stored)
    const stranger = await createFileClient(app)
    const missing = { code: 'NOT_FOUND' }
    expect((await putVersion('x', { headers: stranger.headers })).body.error.code).toBe('NOT_FOUND')
    expect(await text(1, stranger.headers)).toBe(404)
    await expect(versions(stranger.headers).list({ id })).rejects.toMatchObject(missing)
    await expect(versions(stranger.headers).restore({ id, version: 1 })).rejects.toMatchObject(missing)
    // The number of a version of another tenant's file is not found under a file of the caller.
    const own = await upload(app, stranger.headers, 'own', { name: 'own.txt', type: 'text/plain' })
    await expect(
      versions(stranger.headers).restore({ id: own.body.data.id, version: 3 }),
    ).rejects.toMatchObject(missing)
  })

  test('cannot be read in the trash; a purge removes all their objects', async () => {
    const { body } = await upload(app, client.headers, 'gone', { name: 'gone.txt', type: 'text/plain' })
    const file = body.data.id
    await putVersion('gone too', { file })
    const keys = await app.sql<{ key: string }[]>`
      select object_key as key from files where id = ${file}
      union all select object_key from file_versions where file_id = ${file}`
    expect(keys).toHaveLength(2)
    const before = await storage()
    await client.files.remove({ id: file })
    await expect(versions().list({ id: file })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await (await client.withSession()).remove({ id: file, permanent: 'true' })
    expect(await storage()).toBe(before - 12)
    const [row] =
      await app.sql`select count(*)::int as count from objects where key = any(${keys.map(({ key }) => key)})`
    expect(row!.count).toBe(0)
    const jobs = await app.sql<{ payload: { keys?: string[] } }[]>`
      select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'files.remove-objects'`
    expect(jobs.flatMap(({ payload }) => payload.keys ?? [])).toEqual(
      expect.arrayContaining(keys.map(({ key }) => key)),
    )
  })

  test('are deleted beyond one hundred, and 180 days after they were replaced', async () => {
    const { body } = await upload(app, client.headers, 'v1', { name: 'many.txt', type: 'text/plain' })
    const file = body.data.id
    await app.sql`
      insert into file_versions (org_id, id, file_id, number, mime_type, size, object_key, sha256, created_by, created_at, replaced_at)
      select f.org_id, gen_random_uuid(), f.id, n, f.mime_type, f.size, f.object_key, f.sha256, f.created_by, f.created_at, f.created_at
      from files f, generate_series(1, 120) n where f.id = ${file}`
    await app.sql`update files set content_number = 121 where id = ${file}`
    await putVersion('v122', { file })
    const stored = async () =>
      (await versions().list({ id: file, limit: 100 })).items.map(({ version }) => version)
    expect(await stored()).toEqual(Array.from({ length: 100 }, (_, index) => 122 - index))
    app.clock.advance(181 * DAY_S)
    await applyRetention(app.app.system())
    const [{ count } = { count: -1 }] = await app.sql<{ count: number }[]>`
      select count(*)::int as count from file_versions where file_id = ${file}`
    expect(count).toBe(0)
    await storage()
  })
  test('are deleted individually; an object goes with the last record that owns it', async () => {
    const file = (await upload(app, client.headers, 'one', { name: 'd.txt', type: 'text/plain' })).body.data
      .id
    await putVersion('two', { file })
    await versions().restore({ id: file, version: 1 })
    await putVersion('four', { file })
    const keyOf = async (number: number) => {
      const [row] = await app.sql<{ key: string }[]>`
        select object_key as key from file_versions where file_id = ${file} and number = ${number}`
      return row!.key
    }
    const [shared, unshared] = [await keyOf(1), await keyOf(2)]
    expect(await keyOf(3)).toBe(shared)
    const objectExists = async (key: string) =>
      (await app.sql`select from objects where key = ${key}`).length === 1
    const remove = async (version: number, person = client.person) =>
      (await app.withSession(person)).fileVersions.remove({ id: file, version })
    await expect(versions().remove({ id: file, version: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(remove(4)).rejects.toMatchObject({ code: 'CONFLICT' })
    await remove(1)
    await expect(remove(1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([await objectExists(shared), await objectExists(unshared)]).toEqual([true, true])
    await remove(2)
    await remove(3)
    expect([await objectExists(shared), await objectExists(unshared)]).toEqual([false, false])
    expect((await versions().list({ id: file })).items).toMatchObject([{ version: 4, current: true }])
    await storage()
    const stranger = await createFileClient(app)
    await expect(remove(4, stranger.person)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test("can be deleted only by admins, the file's creator and the version's author", async () => {
    const org = { id: client.person.orgId, name: '', workspaceId: await workspaceOf(client.person.orgId) }
    const [author, other] = [await app.person(org), await app.person(org)]
    const file = (await upload(app, client.headers, 'mine', { name: 'm.txt', type: 'text/plain' })).body.data
      .id
    const byAuthor = bearer(await app.key(author, ['files:write']))
    for (const content of ['a', 'b', 'c']) await putVersion(content, { file, headers: byAuthor })
    const remove = async (person: typeof author, version: number) =>
      (await app.withSession(person)).fileVersions.remove({ id: file, version })
    await expect(remove(other, 2)).rejects.toMatchObject({ details: { reason: 'not_creator' } })
    await expect(remove(author, 1)).rejects.toMatchObject({ details: { reason: 'not_creator' } })
    await remove(author, 2)
    await remove(client.person, 3)
    await remove(await app.person(org, { role: 'admin' }), 1)
  })

  test('support range requests and are never executed: HTML is downloaded', async () => {
    const page = '<script>top.ran = true</script>'
    const file = (await upload(app, client.headers, page, { name: 'p.html', type: 'text/html' })).body.data.id
    const next = await uploadVersion(app, client.headers, file, '<p>next</p>', {
      name: 'p.html',
      type: 'text/html',
    })
    expect(next.status).toBe(201)
    const url = `${app.url}/api/v1/files/${file}/versions/1?inline=true`
    const part = await fetch(url, { headers: { ...client.headers, range: 'bytes=1-6' } })
    expect([part.status, await part.text()]).toEqual([206, page.slice(1, 7)])
    expect(part.headers.get('content-range')).toBe(`bytes 1-6/${page.length}`)
    const beyond = await fetch(url, { headers: { ...client.headers, range: 'bytes=99-' } })
    expect(beyond.status).toBe(416)
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    })
  })

  test('are offered for uploads with the exact name of a visible file in the folder', async () => {
    const folder = await client.folder('Names')
    const names = ['a.txt', 'A.txt', 'twice.txt']
    for (const name of [...names, 'twice.txt'])
      await upload(app, client.headers, name, { name, fields: { parentId: folder.id } })
    await client.folder('a.txt', folder.id)
    const found = await versions().find({ parentId: folder.id, names: [...names, 'none.txt'] })
    expect(found.items.map(({ name, source }) => `${source} ${name}`).sort()).toEqual([
      'folder a.txt',
      'upload A.txt',
      'upload a.txt',
      'upload twice.txt',
      'upload twice.txt',
    ])
    const stranger = await createFileClient(app)
    for (const parentId of [folder.id, stranger.person.orgId])
      await expect(versions(stranger.headers).find({ parentId, names })).rejects.toMatchObject({
        details: [{ path: 'body.parentId' }],
      })
    expect((await versions(stranger.headers).find({ names })).items).toEqual([])
  })

  const workspaceOf = async (orgId: string) =>
    (await app.sql<{ id: string }[]>`select id from workspaces where org_id = ${orgId}`)[0]!.id
})
