import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loopbackServers } from '../server/testing/fakes/loopback-servers.ts'
import { buildTestApp, type TestApp } from '../server/testing/test-app.ts'

const MESSAGES = 60
const READS = 60
const { serve } = loopbackServers()

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' } })
})
afterAll(() => app.close())

describe('chat message burst', () => {
  test('is answered while a provider never lists its models, and delays no other organization', async () => {
    const url = await serve(() => {})
    const [busy, other] = [await app.newUser(), await app.newUser()]
    const admin = await app.withSession(await app.person(busy.org, { role: 'admin' }))
    await admin.modelProviders.create({ kind: 'openai-compatible', name: 'Silent', slug: 'silent', url })
    const project = await app.project(busy.person)
    const sessions: { id: string }[] = []
    for (let n = 0; n < MESSAGES; n++) {
      sessions.push(await busy.client.sessions.create({ projectId: project.id }))
    }
    await app.sql`delete from rate_limits`
    let waiting = MESSAGES
    const sent = sessions.map(({ id }) =>
      busy.client.sessions.send({ id, content: 'Hello' }).finally(() => waiting--),
    )
    const reads: number[] = []
    const settled = Promise.allSettled(sent)
    for (let n = 0; n < READS; n++) reads.push((await other.client.projects.list({})).items.length)
    expect(reads).toHaveLength(READS)
    const outcomes = await settled
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    for (const error of refused) expect(error).toMatchObject({ details: { reason: 'busy' } })
    expect(waiting).toBe(0)
    expect(refused.length).toBeLessThan(MESSAGES)
  })
})
