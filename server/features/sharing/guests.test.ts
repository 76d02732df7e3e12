import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestProject } from '../../testing/clients/live.ts'
import {
  addNote,
  createSharedProject,
  guestHeaders,
  openShare,
  readCanvas,
} from '../../testing/factories/sharing.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let project: TestProject
let looking: Headers
let working: Headers
beforeAll(async () => {
  app = await buildTestApp()
  const view = await createSharedProject(app)
  const edit = await createSharedProject(app, { access: 'edit' })
  project = edit.project
  looking = await guestHeaders(app, view.token)
  working = await guestHeaders(app, edit.token)
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterAll(() => app.close())

describe('a guest', () => {
  test('who may look reads the canvas and cannot change it', async () => {
    const view = await createSharedProject(app)
    const guest = await guestHeaders(app, view.token)
    expect((await readCanvas(app, view.project, guest)).status).toBe(200)
    const { status, body } = await addNote(app, view.project, guest)
    expect([status, body.error.details.reason]).toEqual([403, 'view_only'])
  })

  test('who may comment sees as much as one who may look, and changes nothing', async () => {
    const comment = await createSharedProject(app, { access: 'comment' })
    const guest = await guestHeaders(app, comment.token)
    expect((await readCanvas(app, comment.project, guest)).status).toBe(200)
    expect((await addNote(app, comment.project, guest)).status).toBe(403)
  })

  test('who may edit adds to the canvas, as nobody in particular', async () => {
    const { status, body } = await addNote(app, project, working)
    expect([status, body.createdBy]).toEqual([201, null])
    const [row] = await app.sql`
      select user_id from canvas_changes where project_id = ${project.id} and item_id = ${body.id}`
    expect(row!.user_id).toBeNull()
  })

  test('may do less at once when the link allows less', async () => {
    const edit = await createSharedProject(app, { access: 'edit' })
    const guest = await guestHeaders(app, edit.token)
    expect((await addNote(app, edit.project, guest)).status).toBe(201)
    await edit.browser.sharing.share({ projectId: edit.project.id, access: 'view' })
    expect((await addNote(app, edit.project, guest)).status).toBe(403)
    expect((await readCanvas(app, edit.project, guest)).status).toBe(200)
  })

  test('finds only the one project, by whatever name', async () => {
    const other = await app.project(project.creator)
    expect((await readCanvas(app, other, working)).status).toBe(404)
    expect((await readCanvas(app, { id: other.slug }, working)).status).toBe(404)
    expect((await addNote(app, other, working)).status).toBe(404)
    expect((await readCanvas(app, project, looking)).status).toBe(404)
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
  ])('is refused %s of the project%s', async (method, path) => {
    const { status } = await app.request(method, `/api/v1/projects/${project.id}${path}`, {
      headers: working,
      body: method === 'GET' ? undefined : {},
    })
    expect(status).toBe(401)
  })

  test('does not meet what the person who shared did under the same idempotency key', async () => {
    const key = { 'idempotency-key': 'the same for both' }
    const own = cookie(await app.session(project.creator))
    const first = await addNote(app, project, { ...own, ...key })
    const second = await addNote(app, project, { ...working, ...key })
    const again = await addNote(app, project, { ...working, ...key })
    expect([first.body.createdBy, second.body.createdBy]).toEqual([project.creator.id, null])
    expect(second.body.id).not.toBe(first.body.id)
    expect(again.body.id).toBe(second.body.id)
  })
})

describe('a ticket', () => {
  const withTicket = (ticket: string) => ({ 'x-share-ticket': ticket })
  const ticketOf = (headers: Headers) => headers['x-share-ticket']!

  test.each([
    ['empty', () => ''],
    ['made up', () => 'nonsense'],
    [
      'of another version',
      (parts: string[]) => [parts[0], Number(parts[1]) + 1, ...parts.slice(2)].join('.'),
    ],
    ['made to last', (parts: string[]) => [...parts.slice(0, 2), Number(parts[2]) + 1, parts[3]].join('.')],
    ['without a signature', (parts: string[]) => parts.slice(0, 3).join('.')],
    ['with more behind it', (parts: string[]) => `${parts.join('.')}x`],
    ['with a line break', (parts: string[]) => `${parts.slice(0, 3).join('.')}%0a.${parts[3]}`],
  ])('that is %s opens nothing', async (_case, forge) => {
    const forged = forge(ticketOf(working).split('.'))
    expect((await readCanvas(app, project, withTicket(forged))).status).toBe(401)
  })

  test('of another project with this one’s signature opens nothing', async () => {
    const [id, version, end] = ticketOf(looking).split('.')
    const tag = ticketOf(working).split('.')[3]
    expect((await readCanvas(app, project, withTicket(`${id}.${version}.${end}.${tag}`))).status).toBe(401)
  })

  test('that a session would be good enough for still decides: no more than the link allows', async () => {
    const view = await createSharedProject(app)
    const both = {
      ...(await guestHeaders(app, view.token)),
      ...cookie(await app.session(view.project.creator)),
    }
    expect((await addNote(app, view.project, both)).status).toBe(403)
    const stale = { ...both, ...withTicket('nonsense') }
    expect((await readCanvas(app, view.project, stale)).status).toBe(401)
  })

  test('means nothing where guests are not let in: the session decides', async () => {
    const own = cookie(await app.session(project.creator))
    const path = `/api/v1/projects/${project.id}`
    expect((await app.request('GET', path, { headers: { ...working, ...own } })).status).toBe(200)
  })

  test('beside a key means nothing: the key decides', async () => {
    const { headers: strange } = await app.newcomer()
    expect((await readCanvas(app, project, { ...working, ...strange })).status).toBe(404)
    const revoked = bearer({ key: `atrium_test_${'0'.repeat(48)}` })
    expect((await readCanvas(app, project, { ...working, ...revoked })).status).toBe(401)
    const own = bearer(await app.key(project.creator))
    expect((await addNote(app, project, { ...looking, ...own })).body.createdBy).toBe(project.creator.id)
  })

  test('is no session: it does not sign anybody in', async () => {
    const session = await app.request('GET', '/api/v1/auth/session', { headers: working })
    expect(session.status).toBe(401)
    const asCookie = await readCanvas(app, project, { cookie: `atrium_session=${ticketOf(working)}` })
    expect(asCookie.status).toBe(401)
    const asKey = await readCanvas(app, project, bearer({ key: ticketOf(working) }))
    expect(asKey.status).toBe(401)
  })

  test('ends after twelve hours', async () => {
    const { token, project: shared } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    app.clock.advance(43_201)
    expect((await readCanvas(app, shared, guest)).status).toBe(401)
    expect((await readCanvas(app, shared, await guestHeaders(app, token))).status).toBe(200)
  })

  test('is found by an index', async () => {
    const { body } = await openShare(app, { token: (await createSharedProject(app)).token })
    const [id] = body.ticket.split('.')
    const plan = await app.sql.begin(async (sql) => {
      await sql`set local enable_seqscan = off`
      return sql`explain select from project_shares where id = ${id} and version = 1`
    })
    expect(JSON.stringify(plan)).toContain('project_shares_id')
  })
})
