import { beforeAll, describe, expect, test } from 'vitest'
import { createTestProject } from '../../../testing/clients/live.ts'
import {
  addNote,
  createSharedProject,
  guestHeaders,
  openShare,
  readCanvas,
  tokenIn,
} from '../../../testing/factories/sharing.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString()

describe('Rule 8: share create/update/revoke and invite require a browser session with step-up', () => {
  const calls: [name: string, method: string, path: string, body?: object][] = [
    ['create or update a share', 'POST', 'share', {}],
    ['revoke a share', 'DELETE', 'share'],
    ['invite', 'POST', 'share/invite', { role: 'viewer' }],
    ['revoke an invite', 'DELETE', 'share/invite/01890000-0000-7000-8000-000000000000'],
  ]
  test.each(calls)('applies to %s', async (_name, method, path, body) => {
    const project = await createTestProject(app)
    const url = `/api/v1/projects/${project.id}/${path}`
    const key = bearer(await app.key(project.creator))
    const byKey = await app.request(method, url, { headers: key, body })
    expect([byKey.status, byKey.body.error.details.reason]).toEqual([403, 'browser_session_required'])
    expect(byKey.body.error.message).toBe('Sharing a project requires a browser session')
    const session = cookie(await app.session(project.creator, { steppedUp: false }))
    const bySession = await app.request(method, url, { headers: session, body })
    expect([bySession.status, bySession.body.error.details.reason]).toEqual([403, 'step_up_required'])
  })
})

describe('share link', () => {
  test('has view access by default, is returned once and stored only as a hash', async () => {
    const { browser, project, share, token } = await createSharedProject(app)
    expect(share).toMatchObject({ access: 'view', expiresAt: null, hasPassword: false })
    expect(share.url).toBe(`${app.url}/s/${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    const read = await browser.sharing.read({ projectId: project.id })
    expect(read).toEqual({ share: { ...share, url: null }, invites: [] })
    const [row] = await app.sql`select s::text as all from project_shares s where project_id = ${project.id}`
    expect(row!.all).not.toContain(token)
  })

  test('changes only the fields sent', async () => {
    const { browser, project, share, token } = await createSharedProject(app, { password: 'twelve chars' })
    const expiresAt = inAnHour()
    await browser.sharing.share({ projectId: project.id, expiresAt })
    const changed = await browser.sharing.share({ projectId: project.id, access: 'edit' })
    expect(changed).toEqual({ ...share, url: null, access: 'edit', expiresAt, hasPassword: true })
    expect((await openShare(app, { token, password: 'twelve chars' })).body.access).toBe('edit')
    const forever = await browser.sharing.share({ projectId: project.id, expiresAt: null, password: null })
    expect(forever).toMatchObject({ expiresAt: null, hasPassword: false })
  })

  test('can be rotated, which invalidates the old token and its guest tokens', async () => {
    const { browser, project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    const rotated = await browser.sharing.share({ projectId: project.id, rotate: true })
    expect((await openShare(app, { token })).status).toBe(404)
    expect((await openShare(app, { token: tokenIn(rotated) })).status).toBe(200)
    expect((await readCanvas(app, project, guest)).status).toBe(401)
  })

  test('invalidates its guest tokens when its password is set, changed or removed', async () => {
    const { browser, project, token } = await createSharedProject(app)
    let password: string | undefined
    for (const next of ['first password', 'second password', null]) {
      const guest = await guestHeaders(app, token, password)
      expect((await readCanvas(app, project, guest)).status).toBe(200)
      await browser.sharing.share({ projectId: project.id, password: next })
      expect((await readCanvas(app, project, guest)).status).toBe(401)
      password = next ?? undefined
    }
  })

  test('invalidates its guest tokens when it is opened again after its expiry', async () => {
    const { browser, project, token } = await createSharedProject(app, { expiresAt: inAnHour() })
    const guest = await guestHeaders(app, token)
    const later = inAnHour()
    await browser.sharing.share({ projectId: project.id, expiresAt: later })
    expect((await readCanvas(app, project, guest)).status).toBe(200)
    await app.sql`update project_shares set expires_at = ${app.clock.now()} where project_id = ${project.id}`
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    await browser.sharing.share({ projectId: project.id, expiresAt: later })
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await readCanvas(app, project, await guestHeaders(app, token))).status).toBe(200)
  })

  test('can be revoked once, after which sharing again creates another token', async () => {
    const { browser, project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    expect(await browser.sharing.unshare({ projectId: project.id })).toEqual({ revoked: true })
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await openShare(app, { token })).status).toBe(404)
    await expect(browser.sharing.unshare({ projectId: project.id })).rejects.toMatchObject({ status: 404 })
    const again = await browser.sharing.share({ projectId: project.id })
    expect(tokenIn(again)).not.toBe(token)
    expect((await readCanvas(app, project, guest)).status).toBe(401)
  })

  test('is unique per project, even after concurrent requests', async () => {
    const project = await createTestProject(app)
    const browser = await app.withSession(project.creator)
    const shares = await Promise.all(
      Array.from({ length: 6 }, () => browser.sharing.share({ projectId: project.id })),
    )
    expect(new Set(shares.map(({ id }) => id)).size).toBe(1)
    expect(shares.filter(({ url }) => url !== null)).toHaveLength(1)
  })

  test('becomes invalid when its creator leaves, and another member can create a new one', async () => {
    const { browser, project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    const otherOwner = await app.person(project.org, { role: 'owner' })
    await app.sql`delete from memberships where org_id = ${project.org.id} and user_id = ${project.creator.id}`
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await openShare(app, { token })).status).toBe(404)
    await expect(browser.sharing.read({ projectId: project.id })).rejects.toMatchObject({ status: 401 })
    const otherBrowser = await app.withSession(otherOwner)
    expect((await otherBrowser.sharing.read({ projectId: project.id })).share).toBeNull()
    const again = await otherBrowser.sharing.share({ projectId: project.id })
    expect((await openShare(app, { token: tokenIn(again) })).status).toBe(200)
  })

  test.each([
    ['leaves the workspace of the project', null],
    ['becomes a viewer', 'viewer'],
  ] as const)('becomes invalid when its creator %s', async (_, role) => {
    const project = await createTestProject(app)
    const editor = await app.person(project.org)
    const browser = await app.withSession(editor)
    const token = tokenIn(await browser.sharing.share({ projectId: project.id, access: 'edit' }))
    const guest = await guestHeaders(app, token)
    expect((await addNote(app, project, guest)).status).toBe(201)
    await app.setWorkspaceRole(editor, project.org.workspaceId, role)
    expect((await addNote(app, project, guest)).status).toBe(401)
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await openShare(app, { token })).status).toBe(404)
  })

  test("becomes invalid, if another member's, when the project becomes private", async () => {
    const project = await createTestProject(app)
    const other = await app.withSession(await app.person(project.org, { role: 'admin' }))
    const token = tokenIn(await other.sharing.share({ projectId: project.id }))
    const guest = await guestHeaders(app, token)
    await app.sql`update projects set visibility = 'private' where id = ${project.id}`
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await openShare(app, { token })).status).toBe(404)
  })

  test('becomes invalid when the project is deleted, and stays so after a restore', async () => {
    const { browser, project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    await browser.projects.remove({ id: project.id })
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    await browser.projects.undelete({ id: project.id })
    expect((await readCanvas(app, project, guest)).status).toBe(401)
    expect((await openShare(app, { token })).status).toBe(404)
  })

  test('is FORBIDDEN for viewers to read or change, and NOT_FOUND without project access', async () => {
    const { project } = await createSharedProject(app)
    const viewer = await app.person(project.org)
    await app.setWorkspaceRole(viewer, project.org.workspaceId, 'viewer')
    const viewerBrowser = await app.withSession(viewer)
    const refusal = { status: 403, details: { reason: 'view_only' } }
    await expect(viewerBrowser.sharing.share({ projectId: project.id })).rejects.toMatchObject(refusal)
    await expect(viewerBrowser.sharing.read({ projectId: project.id })).rejects.toMatchObject(refusal)
    await expect(viewerBrowser.sharing.unshare({ projectId: project.id })).rejects.toMatchObject(refusal)
    const stranger = await app.withSession((await app.newUser()).person)
    await expect(stranger.sharing.share({ projectId: project.id })).rejects.toMatchObject({ status: 404 })
  })

  test.each([
    ['expiresAt', '2020-01-01T00:00:00Z', 'must be in the future'],
    ['expiresAt', 'tomorrow', 'must be an ISO 8601 time, such as 2027-01-31T12:00:00Z'],
    ['password', 'short', 'must be 12 to 200 characters'],
    ['access', 'own', 'must be one of view, comment, edit'],
    ['surprise', true, 'is not a known field'],
  ])('refuses %s %s', async (field, value, message) => {
    const project = await createTestProject(app)
    const headers = cookie(await app.session(project.creator))
    const path = `/api/v1/projects/${project.id}/share`
    const { status, body } = await app.request('POST', path, { headers, body: { [field]: value } })
    expect([status, body.error.details]).toEqual([400, [{ path: `body.${field}`, message }]])
  })

  test('is recorded in the audit log when created, changed, rotated and revoked', async () => {
    const { browser, project } = await createSharedProject(app)
    await browser.sharing.share({ projectId: project.id, access: 'edit' })
    await browser.sharing.share({ projectId: project.id, rotate: true })
    await browser.sharing.unshare({ projectId: project.id })
    const entries = await app.sql`
      select action, user_id, via, details from audit where target = ${project.id} order by id`
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['project.shared', { name: 'Launch', access: 'view', how: 'created' }],
      ['project.shared', { name: 'Launch', access: 'edit', how: 'changed' }],
      ['project.shared', { name: 'Launch', access: 'edit', how: 'rotated' }],
      ['project.unshared', { name: 'Launch' }],
    ])
    expect(entries.every((entry) => entry.user_id === project.creator.id && entry.via === 'session')).toBe(
      true,
    )
  })
})
