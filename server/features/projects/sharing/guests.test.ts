import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestProject } from '../../../testing/clients/live.ts'
import {
  addNote,
  createSharedProject,
  guestHeaders,
  openShare,
  readCanvas,
} from '../../../testing/factories/sharing.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let project: TestProject
let viewGuest: Headers
let editGuest: Headers
beforeAll(async () => {
  app = await shareTestApp()
  const view = await createSharedProject(app)
  const edit = await createSharedProject(app, { access: 'edit' })
  project = edit.project
  viewGuest = await guestHeaders(app, view.token)
  editGuest = await guestHeaders(app, edit.token)
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})

describe('guest', () => {
  test('reads but cannot change the canvas with view access', async () => {
    const view = await createSharedProject(app)
    const guest = await guestHeaders(app, view.token)
    expect((await readCanvas(app, view.project, guest)).status).toBe(200)
    const { status, body } = await addNote(app, view.project, guest)
    expect([status, body.error.details.reason]).toEqual([403, 'view_only'])
  })

  test('reads but cannot change the canvas with comment access', async () => {
    const comment = await createSharedProject(app, { access: 'comment' })
    const guest = await guestHeaders(app, comment.token)
    expect((await readCanvas(app, comment.project, guest)).status).toBe(200)
    expect((await addNote(app, comment.project, guest)).status).toBe(403)
  })

  test('changes the canvas without an author with edit access', async () => {
    const { status, body } = await addNote(app, project, editGuest)
    expect([status, body.createdBy]).toEqual([201, null])
    const [row] = await app.sql`
      select user_id from canvas_changes where project_id = ${project.id} and item_id = ${body.id}`
    expect(row!.user_id).toBeNull()
  })

  test('loses edit access immediately when the link is changed to view access', async () => {
    const edit = await createSharedProject(app, { access: 'edit' })
    const guest = await guestHeaders(app, edit.token)
    expect((await addNote(app, edit.project, guest)).status).toBe(201)
    await edit.browser.sharing.share({ projectId: edit.project.id, access: 'view' })
    expect((await addNote(app, edit.project, guest)).status).toBe(403)
    expect((await readCanvas(app, edit.project, guest)).status).toBe(200)
  })

  test('finds no other project, by id or slug', async () => {
    const other = await app.project(project.creator)
    expect((await readCanvas(app, other, editGuest)).status).toBe(404)
    expect((await readCanvas(app, { id: other.slug }, editGuest)).status).toBe(404)
    expect((await addNote(app, other, editGuest)).status).toBe(404)
    expect((await readCanvas(app, project, viewGuest)).status).toBe(404)
  })

  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/history'],
    ['GET', '/snapshots'],
    ['GET', '/export'],
    ['POST', '/restore'],
    ['POST', '/duplicate'],
    ['GET', '/navigator'],
    ['GET', '/share'],
    ['POST', '/share'],
    ['DELETE', '/share'],
    ['POST', '/share/invite'],
    ['GET', '/runs'],
  ])('is UNAUTHORIZED for %s /projects/:id%s', async (method, path) => {
    const { status } = await app.request(method, `/api/v1/projects/${project.id}${path}`, {
      headers: editGuest,
      body: method === 'GET' ? undefined : {},
    })
    expect(status).toBe(401)
  })

  test("does not share idempotency keys with the link's creator", async () => {
    const key = { 'idempotency-key': 'the same for both' }
    const own = cookie(await app.session(project.creator))
    const first = await addNote(app, project, { ...own, ...key })
    const second = await addNote(app, project, { ...editGuest, ...key })
    const again = await addNote(app, project, { ...editGuest, ...key })
    expect([first.body.createdBy, second.body.createdBy]).toEqual([project.creator.id, null])
    expect(second.body.id).not.toBe(first.body.id)
    expect(again.body.id).toBe(second.body.id)
  })
})

describe('guest token', () => {
  const tokenHeader = (token: string) => ({ 'x-guest-token': token })
  const guestTokenOf = (headers: Headers) => headers['x-guest-token']!

  test.each([
    ['empty', () => ''],
    ['invented', () => 'nonsense'],
    [
      'changed to another version',
      (parts: string[]) => [parts[0], Number(parts[1]) + 1, ...parts.slice(2)].join('.'),
    ],
    [
      'changed to expire later',
      (parts: string[]) => [...parts.slice(0, 2), Number(parts[2]) + 1, parts[3]].join('.'),
    ],
    ['without a signature', (parts: string[]) => parts.slice(0, 3).join('.')],
    ['extended by a character', (parts: string[]) => `${parts.join('.')}x`],
    ['with a line break', (parts: string[]) => `${parts.slice(0, 3).join('.')}%0a.${parts[3]}`],
  ])('is UNAUTHORIZED: %s', async (_case, forge) => {
    const forged = forge(guestTokenOf(editGuest).split('.'))
    expect((await readCanvas(app, project, tokenHeader(forged))).status).toBe(401)
  })

  test("is UNAUTHORIZED with another project's id and this one's signature", async () => {
    const [id, version, end] = guestTokenOf(viewGuest).split('.')
    const signature = guestTokenOf(editGuest).split('.')[3]
    const forged = tokenHeader(`${id}.${version}.${end}.${signature}`)
    expect((await readCanvas(app, project, forged)).status).toBe(401)
  })

  test("takes precedence over a session: the caller has only the link's access", async () => {
    const view = await createSharedProject(app)
    const both = {
      ...(await guestHeaders(app, view.token)),
      ...cookie(await app.session(view.project.creator)),
    }
    expect((await addNote(app, view.project, both)).status).toBe(403)
    const stale = { ...both, ...tokenHeader('nonsense') }
    expect((await readCanvas(app, view.project, stale)).status).toBe(401)
  })

  test('is ignored by endpoints without guest access, which use the session', async () => {
    const own = cookie(await app.session(project.creator))
    const path = `/api/v1/projects/${project.id}`
    expect((await app.request('GET', path, { headers: { ...editGuest, ...own } })).status).toBe(200)
  })

  test('is ignored if the request has an API key', async () => {
    const { headers: foreign } = await app.newUser()
    expect((await readCanvas(app, project, { ...editGuest, ...foreign })).status).toBe(404)
    const revoked = bearer({ key: `atrium_test_${'0'.repeat(48)}` })
    expect((await readCanvas(app, project, { ...editGuest, ...revoked })).status).toBe(401)
    const own = bearer(await app.key(project.creator))
    expect((await addNote(app, project, { ...viewGuest, ...own })).body.createdBy).toBe(project.creator.id)
  })

  test('is not accepted as a session or an API key', async () => {
    const session = await app.request('GET', '/api/v1/auth/session', { headers: editGuest })
    expect(session.status).toBe(401)
    const asCookie = await readCanvas(app, project, { cookie: `atrium_session=${guestTokenOf(editGuest)}` })
    expect(asCookie.status).toBe(401)
    const asKey = await readCanvas(app, project, bearer({ key: guestTokenOf(editGuest) }))
    expect(asKey.status).toBe(401)
  })

  test('expires after twelve hours', async () => {
    const { token, project: shared } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    app.clock.advance(43_201)
    expect((await readCanvas(app, shared, guest)).status).toBe(401)
    expect((await readCanvas(app, shared, await guestHeaders(app, token))).status).toBe(200)
  })

  test('is looked up by an index', async () => {
    const { body } = await openShare(app, { token: (await createSharedProject(app)).token })
    const [id] = body.guestToken.split('.')
    const plan = await app.sql.begin(async (sql) => {
      await sql`set local enable_seqscan = off`
      return sql`explain select from project_shares where id = ${id} and version = 1`
    })
    expect(JSON.stringify(plan)).toContain('project_shares_id')
  })
})
