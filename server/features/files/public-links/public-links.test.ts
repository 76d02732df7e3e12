import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../testing/clients/file-client.ts'
import { upload } from '../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const MISSING = { code: 'NOT_FOUND' }
const SCRIPT = '<script>top.ran = true</script>'

describe('public links', () => {
  let app: TestApp
  let client: FileClient
  beforeAll(async () => {
    app = await buildTestApp()
    client = await createFileClient(app)
  })
  afterAll(() => app.close())

  const asAdmin = async () => {
    const { orgId: id } = client.person
    const [row] = await app.sql<{ id: string }[]>`select id from workspaces where org_id = ${id}`
    return app.withSession(await app.person({ id, name: '', workspaceId: row!.id }, { role: 'admin' }))
  }
  const links = (headers = client.headers) => app.as(headers).publicLinks
  const visitor = () => app.as({}).publicLinks
  const put = async (content: string, name: string, parentId?: string) =>
    (await upload(app, client.headers, content, { name, fields: parentId ? { parentId } : {} })).body.data
      .id as string
  const open = (url: string | null, password?: string) =>
    visitor().open({ token: url!.split('/f/')[1]!, password })
  const fetchFile = (guestToken: string, id: string, query = '') =>
    fetch(`${app.url}/api/v1/public-links/${guestToken}/files/${id}${query}`)

  test('give anyone the file until revoked, with safe headers, and store no token', async () => {
    const id = await put('hello', 'a.txt')
    const link = await links().create({ id })
    expect(link).toMatchObject({ fileId: id, fileName: 'a.txt', hasPassword: false, active: true })
    const { guestToken, entry } = await open(link.url)
    expect(entry).toMatchObject({ id, name: 'a.txt', size: 5, source: 'upload' })
    const response = await fetchFile(guestToken, id, '?inline=true')
    expect([response.status, await response.text()]).toEqual([200, 'hello'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const token = link.url!.split('/f/')[1]!
    const rows = await app.sql`select row_to_json(l)::text as row from public_links l`
    expect(rows.map(({ row }) => row).join()).not.toContain(token)
    const { items, canCreate } = await links().list({ id })
    expect([items.map(({ url, active }) => [url, active]), canCreate]).toEqual([[[null, true]], true])
    expect(items[0]!.lastUsedAt).not.toBeNull()
    await links().revoke({ id, linkId: link.id })
    await expect(open(link.url)).rejects.toMatchObject(MISSING)
    expect((await fetchFile(guestToken, id)).status).toBe(404)
    const audit = await app.sql`
      select action from audit where org_id = ${client.person.orgId} and action like 'file.%shared' order by id`
    expect(audit.map(({ action }) => action)).toEqual(['file.shared', 'file.unshared'])
  })

  test('get a new URL that keeps their settings, and the old URL stops working', async () => {
    const id = await put('hello', 'renewed.txt')
    const expiresAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const link = await links().create({ id, expiresAt, password: 'correct horse' })
    const { guestToken } = await open(link.url, 'correct horse')
    const renewed = await links().renew({ id, linkId: link.id })
    expect(renewed).toMatchObject({ hasPassword: true, expiresAt: link.expiresAt, active: true })
    await expect(visitor().content({ token: guestToken, id })).rejects.toMatchObject(MISSING)
    expect(renewed.url).not.toBe(link.url)
    await expect(open(link.url, 'correct horse')).rejects.toMatchObject(MISSING)
    await open(renewed.url, 'correct horse')
    expect((await links().list({ id })).items).toMatchObject([{ id: renewed.id, url: null }])
    const other = await put('other', 'other.txt')
    await expect(links().renew({ id: other, linkId: link.id })).rejects.toMatchObject(MISSING)
    const stranger = await createFileClient(app)
    await expect(links(stranger.headers).renew({ id, linkId: link.id })).rejects.toMatchObject(MISSING)
  })

  test("end on expiry, trashing, the creator's loss of access, or a setting that forbids them", async () => {
    const id = await put('x', 'b.txt')
    const past = new Date(app.clock.now().getTime() - 1000).toISOString()
    await expect(links().create({ id, expiresAt: past })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const expiring = await links().create({ id, expiresAt })
    const permanent = await links().create({ id })
    const { guestToken } = await open(expiring.url)
    app.clock.advance(61)
    await expect(open(expiring.url)).rejects.toMatchObject({ ...MISSING, details: { reason: 'expired' } })
    expect((await fetchFile(guestToken, id)).status).toBe(401)

    const { guestToken: opened } = await open(permanent.url)
    await client.files.remove({ id })
    await expect(open(permanent.url)).rejects.toMatchObject(MISSING)
    expect((await fetchFile(opened, id)).status).toBe(404)
    await client.files.restore({ id })
    await open(permanent.url)

    const browser = await asAdmin()
    await browser.publicLinks.updateSettings({ allowedFor: 'nobody' })
    await expect(open(permanent.url)).rejects.toMatchObject(MISSING)
    await expect(links().create({ id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'public_links_off' },
    })
    await browser.publicLinks.updateSettings({ allowedFor: 'members' })
    await open(permanent.url)
    const leaver = await createFileClient(app)
    const { body } = await upload(app, leaver.headers, 'theirs', { name: 't.txt' })
    const { url } = await links(leaver.headers).create({ id: body.data.id })
    await open(url)
    await app.sql`delete from memberships where user_id = ${leaver.person.id}`
    await expect(open(url)).rejects.toMatchObject(MISSING)
  })

  test('require their password, and wrong passwords are rate limited', async () => {
    const id = await put('secret', 'c.txt')
    await expect(links().create({ id, password: 'short' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const { url } = await links().create({ id, password: 'correct horse' })
    await expect(open(url)).rejects.toMatchObject({ details: { reason: 'password_required' } })
    await expect(open(url, 'wrong horse')).rejects.toMatchObject({ details: { reason: 'wrong_password' } })
    await open(url, 'correct horse')
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(open(url, `guess ${attempt}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(open(url, 'correct horse')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const [row] = await app.sql`select password_hash as hash from public_links where file_id = ${id}`
    expect(row!.hash).toMatch(/^\$argon2id\$/)
  })

  test("give access to a shared folder's contents and nothing else", async () => {
    const folder = await client.folder('Shared')
    const below = await client.folder('Below', folder.id)
    const outside = await put('private', 'outside.txt')
    const inside = await put('public', 'inside.txt', below.id)
    const page = await put(SCRIPT, 'page.html', folder.id)
    const picture = await put(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'p.svg', folder.id)
    const shortcut = await client.link(outside, folder.id)
    const { url } = await links().create({ id: folder.id })
    const { guestToken } = await open(url)
    const names = async (folderId?: string) =>
      (await visitor().entries({ token: guestToken, folderId })).items.map(({ name }) => name)
    expect([await names(), await names(below.id)]).toEqual([['Below', 'p.svg', 'page.html'], ['inside.txt']])
    const first = await visitor().entries({ token: guestToken, limit: 2 })
    const second = await visitor().entries({ token: guestToken, limit: 2, cursor: first.nextCursor! })
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['Below', 'p.svg', 'page.html'])
    for (const active of [page, picture]) {
      const { headers } = await fetchFile(guestToken, active, '?inline=true')
      expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    }
    expect(await (await fetchFile(guestToken, inside)).text()).toBe('public')
    const stranger = await createFileClient(app)
    const foreign = await upload(app, stranger.headers, 'foreign', { name: 'f.txt' })
    const parent = client.person.orgId
    for (const id of [outside, shortcut.id, foreign.body.data.id, parent, '..%2f..%2fa'])
      expect([id, (await fetchFile(guestToken, id)).status]).toEqual([id, 404])
    for (const folderId of [parent, outside])
      await expect(visitor().entries({ token: guestToken, folderId })).rejects.toMatchObject(MISSING)
    const archive = await fetch(`${app.url}/api/v1/public-links/${guestToken}/archive`)
    const zip = Buffer.from(await archive.arrayBuffer()).toString('latin1')
    expect([zip.includes('Shared/Below/inside.txt'), zip.includes('outside')]).toEqual([true, false])
    const forged = guestToken.replace(/^[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0'))
    expect((await fetchFile(forged, inside)).status).toBe(401)
    await client.files.update({ id: below.id, parentId: null })
    expect((await fetchFile(guestToken, inside)).status).toBe(404)
  })

  test('cannot be listed, created or revoked by another organization', async () => {
    const id = await put('mine', 'd.txt')
    const { id: linkId } = await links().create({ id })
    const stranger = await createFileClient(app)
    const own = await upload(app, stranger.headers, 'own', { name: 'own.txt' })
    const theirs = links(stranger.headers)
    await expect(theirs.list({ id })).rejects.toMatchObject(MISSING)
    await expect(theirs.create({ id })).rejects.toMatchObject(MISSING)
    await expect(theirs.revoke({ id, linkId })).rejects.toMatchObject(MISSING)
    await expect(theirs.revoke({ id: own.body.data.id, linkId })).rejects.toMatchObject(MISSING)
    const readOnly = bearer(await app.key(client.person, ['files:read']))
    await expect(links(readOnly).create({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await links().list({ id })).items).toMatchObject([{ id: linkId, active: true }])
    const admin = await asAdmin()
    expect((await admin.publicLinks.listAll({ limit: 1 })).items).toMatchObject([
      { id: linkId, fileName: 'd.txt' },
    ])
  })
  test("end with the file's project, or with their creator's access to it", async () => {
    const { orgId } = client.person
    const [row] = await app.sql<{ id: string }[]>`select id from workspaces where org_id = ${orgId}`
    const colleague = await app.person({ id: orgId, name: '', workspaceId: row!.id })
    const project = await app.as(client.headers).projects.create({ name: 'Launch' })
    const write = { name: 'plan.txt', text: 'plan', projectId: project.id }
    const { id } = await app.as(client.headers).fileTexts.write(write)
    const mine = await links().create({ id })
    const theirs = await links(bearer(await app.key(colleague, ['files:write']))).create({ id })
    const guestTokens = [await open(mine.url), await open(theirs.url)].map(({ guestToken }) => guestToken)
    const statuses = async () => {
      const responses = await Promise.all(guestTokens.map((guestToken) => fetchFile(guestToken, id)))
      return responses.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200])
    const browser = await app.withSession(client.person)
    await browser.projects.update({ id: project.id, visibility: 'private' })
    expect(await statuses()).toEqual([200, 404])
    await expect(open(theirs.url)).rejects.toMatchObject(MISSING)
    await browser.projects.update({ id: project.id, visibility: 'team' })
    await app.sql`update workspace_members set role = 'viewer' where user_id = ${colleague.id}`
    expect(await statuses()).toEqual([200, 404])
    await browser.projects.remove({ id: project.id })
    expect(await statuses()).toEqual([404, 404])
    await expect(open(mine.url)).rejects.toMatchObject(MISSING)
    const listed = await (await asAdmin()).publicLinks.listAll({ createdBy: colleague.id })
    expect(listed.items).toMatchObject([{ id: theirs.id, active: false, fileName: null }])
  })

  test('show previews and ranges, set no cookie, and expose nothing from other links', async () => {
    const id = await put('a,b\n1,2', 'table.csv')
    const { guestToken } = await open((await links().create({ id })).url)
    expect(await visitor().preview({ token: guestToken, id })).toMatchObject({
      kind: 'table',
      sheets: [
        {
          rows: [
            ['a', 'b'],
            ['1', '2'],
          ],
        },
      ],
    })
    const url = `${app.url}/api/v1/public-links/${guestToken}/files/${id}?inline=true`
    const part = await fetch(url, { headers: { range: 'bytes=4-6' } })
    expect([part.status, await part.text()]).toEqual([206, '1,2'])
    expect(part.headers.get('set-cookie')).toBeNull()
    const other = await put('other', 'other.txt')
    await links().create({ id: other })
    for (const path of [`files/${other}`, `files/${other}/preview`])
      expect((await fetch(`${app.url}/api/v1/public-links/${guestToken}/${path}`)).status).toBe(404)
    await expect(visitor().open({ token: guestToken })).rejects.toMatchObject(MISSING)
  })

  test('can be revoked together by an admin for one member, with an audit entry', async () => {
    const id = await put('x', 'e.txt')
    const mine = await links().create({ id })
    const stranger = await createFileClient(app)
    const own = await upload(app, stranger.headers, 'own', { name: 'own.txt' })
    const foreign = await links(stranger.headers).create({ id: own.body.data.id })
    const createdBy = client.person.id
    await expect(links().revokeAll({ createdBy })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const admin = await asAdmin()
    expect(await admin.publicLinks.revokeAll({ createdBy: stranger.person.id })).toEqual({ revoked: 0 })
    const { revoked } = await admin.publicLinks.revokeAll({ createdBy })
    expect(revoked).toBeGreaterThan(0)
    await expect(open(mine.url)).rejects.toMatchObject(MISSING)
    await open(foreign.url)
    expect((await admin.publicLinks.listAll({ createdBy })).items).toEqual([])
    const { items } = await admin.organization.audit({ action: 'public-links.revoked' })
    expect(items).toMatchObject([{ target: createdBy, details: { links: String(revoked) } }])
  })
})
