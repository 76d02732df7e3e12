import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLocalRateLimit } from '../../../../concurrency/local-rate-limit.ts'
import {
  type CanvasStream,
  createTestProject,
  openCanvasStream,
  recordChanges,
  type TestProject,
} from '../../../../testing/clients/live.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { guestHeaders, tokenIn } from '../../../../testing/factories/sharing.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { GUEST_PRESENCE_LIMIT } from './project-channel.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

let project: TestProject
let mary: Person
const streams: CanvasStream[] = []
beforeEach(async () => {
  project = await createTestProject(app)
  mary = await app.person(project.org, { name: 'Mary' })
  await app.sql`delete from rate_limits`
})
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
})

async function follow(headers: Headers, query = '') {
  const stream = await openCanvasStream(app, project, { headers, query })
  streams.push(stream)
  return stream
}
const owner = () => app.withSession(project.creator)
const withSession = async (person: Person) => {
  const session = await app.session(person)
  return { headers: cookie(session), client: app.as(cookie(session)), sessionId: session.id }
}

describe("a caller's stream ends immediately and is refused afterward when", () => {
  test.each<[string, number, () => Promise<unknown>]>([
    [
      'they are removed from the workspace',
      404,
      async () => (await owner()).workspaces.removeMember({ id: project.org.workspaceId, userId: mary.id }),
    ],
    [
      'they are removed from the organization',
      401,
      async () => (await owner()).organization.removeMember({ userId: mary.id }),
    ],
    [
      'the workspace is deleted',
      404,
      async () => {
        await app.workspace(project.org)
        await (await owner()).workspaces.remove({ id: project.org.workspaceId })
      },
    ],
    [
      'the project becomes private',
      404,
      async () => (await owner()).projects.update({ id: project.id, visibility: 'private' }),
    ],
    [
      'they end all their sessions',
      401,
      async () => (await app.withSession(mary)).security.endOtherSessions(),
    ],
  ])('%s', async (_case, refusal, revoke) => {
    const { headers } = await withSession(mary)
    const stream = await follow(headers)
    await revoke()
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
    await recordChanges(app, project)
    expect(stream.seqs()).toEqual([])
    expect((await follow(headers)).status).toBe(refusal)
  })

  test('they sign out, or end the session from another one', async () => {
    const [here, there] = [await withSession(mary), await withSession(mary)]
    const stream = await follow(there.headers)
    await here.client.security.endSession({ id: there.sessionId })
    await expect.poll(stream.hasEnded).toBe(true)
    const own = await follow(here.headers)
    await here.client.accounts.signOut()
    await expect.poll(own.hasEnded).toBe(true)
    for (const { headers } of [here, there]) expect((await follow(headers)).status).toBe(401)
  })

  test('their API key is revoked', async () => {
    const key = await app.key(mary)
    const stream = await follow(bearer(key))
    await (await app.withSession(mary)).apiKeys.revoke({ id: key.id })
    await expect.poll(stream.hasEnded).toBe(true)
    expect((await follow(bearer(key))).status).toBe(401)
  })

  test('an admin outside the workspace becomes a member', async () => {
    const admin = await app.person(project.org, { role: 'admin' })
    await app.setWorkspaceRole(admin, project.org.workspaceId, null)
    const { headers } = await withSession(admin)
    const stream = await follow(headers)
    expect(stream.status).toBe(200)
    await (await owner()).organization.changeRole({ userId: admin.id, role: 'member' })
    await expect.poll(stream.hasEnded).toBe(true)
    expect((await follow(headers)).status).toBe(404)
  })

  test("they are a guest and their share link's creator is removed", async () => {
    const { client } = await withSession(mary)
    const share = await client.sharing.share({ projectId: project.id })
    const guest = await guestHeaders(app, tokenIn(share))
    const stream = await follow(guest)
    await (await owner()).organization.removeMember({ userId: mary.id })
    await expect.poll(stream.hasEnded).toBe(true)
    expect((await follow(guest)).status).toBe(401)
  })

  test('they connect just as access is revoked', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => withSession(mary)))
    const [opened] = await Promise.all([
      Promise.all(sessions.map(({ headers }) => follow(headers))),
      (await app.withSession(mary)).security.endOtherSessions(),
    ])
    for (const stream of opened) await expect.poll(stream.hasEnded).toBe(true)
  })
})

test("a revocation leaves other members' streams open", async () => {
  const unaffected = await follow((await withSession(project.creator)).headers)
  const stream = await follow((await withSession(mary)).headers)
  await (await owner()).workspaces.removeMember({ id: project.org.workspaceId, userId: mary.id })
  await expect.poll(stream.hasEnded).toBe(true)
  await recordChanges(app, project)
  await expect.poll(unaffected.seqs).toEqual([1])
  expect(unaffected.hasEnded()).toBe(false)
})

describe("a share link's guests", () => {
  test('open at most 100 streams, which limits no member', async () => {
    const share = await (await owner()).sharing.share({ projectId: project.id })
    const guest = await guestHeaders(app, tokenIn(share))
    const opened = await Promise.all(Array.from({ length: 101 }, () => follow(guest)))
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await follow((await withSession(mary)).headers)).status).toBe(200)
    await opened.find(({ status }) => status === 200)!.disconnect()
    await expect.poll(async () => (await follow(guest)).status).toBe(200)
  })

  test('appear as at most 100 clients, even if one sends more client ids', async () => {
    const share = await (await owner()).sharing.share({ projectId: project.id })
    const guest = await guestHeaders(app, tokenIn(share))
    const { headers } = await withSession(mary)
    const path = `/api/v1/projects/${project.id}/live/presence`
    const client = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const watching = await follow(headers)
    await app.request('POST', path, { headers, body: { client: client(999) } })
    for (let n = 0; n < 120; n++)
      await app.request('POST', path, { headers: guest, body: { client: client(n) } })
    await expect.poll(() => new Set(watching.of('presence').map((each) => each.client)).size).toBe(101)
    const late = await follow(headers)
    await expect.poll(() => late.of('ready')).toHaveLength(1)
    const { here } = late.of('ready')[0]
    expect(here.filter((each: { guest: boolean }) => each.guest)).toHaveLength(100)
    expect(here.some(({ userId }: { userId: string }) => userId === mary.id)).toBe(true)
  })

  test('report presence within a burst and a rate per link', () => {
    let at = 0
    const limit = createLocalRateLimit({ ...GUEST_PRESENCE_LIMIT, now: () => at })
    const accepted = (link: string) =>
      Array.from({ length: 1000 }, () => limit.tryAcquire(link)).filter(Boolean).length
    expect([accepted('one'), accepted('other'), accepted('one')]).toEqual([600, 600, 0])
    at = 500
    expect(accepted('one')).toBe(150)
  })
})
