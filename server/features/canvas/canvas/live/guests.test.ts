import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CanvasStream, openCanvasStream, recordChanges } from '../../../../testing/clients/live.ts'
import { createSharedProject, guestHeaders } from '../../../../testing/factories/sharing.ts'
import { cookie, type Headers, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const streams: CanvasStream[] = []
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
})

async function follow(project: { id: string }, headers: Headers, query = '') {
  const stream = await openCanvasStream(app, project, { headers, query })
  streams.push(stream)
  return stream
}

describe('a guest’s canvas stream', () => {
  test('receives the changes', async () => {
    const { project, token } = await createSharedProject(app)
    const stream = await follow(project, await guestHeaders(app, token))
    await recordChanges(app, project, 2)
    await expect.poll(stream.seqs).toEqual([1, 2])
  })

  test('resumes, but never from before the guest opened the link', async () => {
    const { project, token } = await createSharedProject(app)
    await recordChanges(app, project, 3, 'before the guest')
    app.clock.advance(1)
    const guest = await guestHeaders(app, token)
    const replay = await follow(project, guest, '?since=0')
    await expect.poll(() => replay.of('reset')).toEqual([{ seq: 3 }])
    await recordChanges(app, project, 2, 'after')
    const resumed = await follow(project, { ...guest, 'last-event-id': '3' })
    await expect.poll(resumed.seqs).toEqual([4, 5])
    expect(JSON.stringify([...replay.events, ...resumed.events])).not.toContain('before the guest')
  })

  test.each([
    [
      'the link is revoked',
      (share: SharedProject) => share.browser.sharing.unshare({ projectId: share.project.id }),
    ],
    ['the link is renewed', (share: SharedProject) => change(share, { rotate: true })],
    ['a password is set', (share: SharedProject) => change(share, { password: 'open sesame please' })],
    [
      'the project is deleted',
      (share: SharedProject) => share.browser.projects.remove({ id: share.project.id }),
    ],
  ])('ends when %s and is refused afterward', async (_case, revoke) => {
    const shared = await createSharedProject(app)
    const guest = await guestHeaders(app, shared.token)
    const stream = await follow(shared.project, guest)
    await revoke(shared)
    await expect.poll(stream.hasEnded).toBe(true)
    await recordChanges(app, shared.project)
    expect(stream.seqs()).toEqual([])
    expect((await follow(shared.project, guest)).status).toBe(401)
  })

  test('ends when the link expires', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 1500).toISOString()
    const { project, token } = await createSharedProject(app, { expiresAt })
    const stream = await follow(project, await guestHeaders(app, token))
    expect(stream.status).toBe(200)
    await expect.poll(stream.hasEnded).toBe(true)
    expect(app.clock.now().toISOString() >= expiresAt).toBe(true)
    expect(stream.of('ended')).toHaveLength(1)
  })

  test('ends when it opens while the link is being revoked', async () => {
    const shared = await createSharedProject(app)
    const guest = await guestHeaders(app, shared.token)
    const [opened] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => follow(shared.project, guest))),
      shared.browser.sharing.unshare({ projectId: shared.project.id }),
    ])
    for (const stream of opened) await expect.poll(stream.hasEnded).toBe(true)
  })
})

type SharedProject = Awaited<ReturnType<typeof createSharedProject>>
const change = ({ browser, project }: SharedProject, options: { rotate?: true; password?: string }) =>
  browser.sharing.share({ projectId: project.id, ...options })

describe('POST /projects/:id/live/presence', () => {
  const report = (project: { id: string }, headers: Headers, body: object) =>
    app.request('POST', `/api/v1/projects/${project.id}/live/presence`, { headers, body })
  const CLIENT = '01890000-0000-7000-8000-00000000000a'
  const OTHER = '01890000-0000-7000-8000-00000000000b'
  const BLOCK = '01890000-0000-7000-8000-0000000000b1'

  test('sends a member’s presence to all other clients, with the account’s name', async () => {
    const { project, token } = await createSharedProject(app)
    const memberHeaders = cookie(await app.session(project.creator))
    const guest = await follow(project, await guestHeaders(app, token))
    const memberStream = await follow(project, memberHeaders, `?client=${CLIENT}`)
    const at = { cursor: { x: 1.5, y: -2 }, selection: [BLOCK], tableId: null }
    const body = { client: CLIENT, ...at, name: 'Another name' }
    const { status, body: response } = await report(project, memberHeaders, body)
    expect([status, response]).toEqual([202, { told: true }])
    const presence = { ...body, userId: project.creator.id, name: 'Ada', guest: false }
    await expect.poll(() => guest.of('presence')).toEqual([presence])
    expect(memberStream.of('presence')).toEqual([])
    const late = await follow(project, memberHeaders, `?client=${OTHER}`)
    await expect.poll(() => late.of('ready')).toEqual([{ seq: 0, here: [presence] }])
  })

  test('keeps a guest from posing as a member or reporting for a member’s client', async () => {
    const { project, token } = await createSharedProject(app)
    const memberHeaders = cookie(await app.session(project.creator))
    const guest = await guestHeaders(app, token)
    await follow(project, memberHeaders, `?client=${CLIENT}`)
    const watching = await follow(project, memberHeaders, `?client=${OTHER}`)
    await report(project, memberHeaders, { client: CLIENT, cursor: { x: 0, y: 0 } })
    const posing = { client: CLIENT, name: 'Ada' }
    await report(project, guest, posing)
    await expect.poll(() => watching.of('presence')).toHaveLength(2)
    expect(watching.of('presence')[1]).toMatchObject({ ...posing, userId: null, guest: true })
    const refused = await report(project, guest, { ...posing, userId: project.creator.id, guest: false })
    expect(refused.status).toBe(400)
    // The guest's departure does not remove the member with the same client id.
    const stream = await follow(project, guest, `?client=${CLIENT}`)
    await stream.disconnect()
    await expect.poll(() => watching.of('left')).toEqual([{ client: CLIENT, userId: null }])
    const late = await follow(project, memberHeaders)
    await expect.poll(() => late.of('ready')[0]?.here).toMatchObject([{ userId: project.creator.id }])
  })

  test('names a guest without a name Guest', async () => {
    const { project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    const stream = await follow(project, guest)
    await report(project, guest, { client: CLIENT })
    await expect.poll(() => stream.of('presence')).toMatchObject([{ name: 'Guest', cursor: null }])
  })

  test.each([
    [{}, 'body.client'],
    [{ client: CLIENT, cursor: { x: 'left', y: 0 } }, 'body.cursor.x'],
    [{ client: CLIENT, selection: Array(101).fill(BLOCK) }, 'body.selection'],
    [{ client: CLIENT, name: 'n'.repeat(61) }, 'body.name'],
    [{ client: CLIENT, name: 'x\n\nevent: ended\ndata: {}\r\n\r\u2028y' }, 'body.name'],
  ])('refuses an invalid report: %#', async (body, path) => {
    const { project, token } = await createSharedProject(app)
    const { status, body: response } = await report(project, await guestHeaders(app, token), body)
    expect([status, response.error.details[0].path]).toEqual([400, path])
  })

  test('accepts the largest valid report, which fits one NOTIFY payload', async () => {
    const { project, token } = await createSharedProject(app)
    const guest = await guestHeaders(app, token)
    const stream = await follow(project, guest)
    const name = '👩‍🚀'.repeat(20)
    const body = {
      client: CLIENT,
      name,
      selection: Array(100).fill(BLOCK),
      cursor: { x: -1e9 / 3, y: 1e9 / 7 },
      tableId: BLOCK,
    }
    expect((await report(project, guest, body)).status).toBe(202)
    await expect.poll(() => stream.of('presence')).toMatchObject([{ name, tableId: BLOCK }])
  })

  test('is NOT_FOUND for a caller without access to the canvas', async () => {
    const { project } = await createSharedProject(app)
    const { headers } = await app.newUser()
    expect((await report(project, headers, { client: CLIENT })).status).toBe(404)
  })
})
