import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertNumber, SERVER_ACCOUNT } from '../../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { claimSenders, releaseSender, wakeSender } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const PER_ORGANIZATION = 4

const claim = (now = new Date(), running: { orgId: string; count: number }[] = []) =>
  claimSenders(app.sql, {
    running,
    perOrganization: PER_ORGANIZATION,
    limit: 8,
    now,
    leasedUntil: new Date(now.getTime() + 60_000),
  })

/** Creates this many numbers with messages to send. */
async function insertSenders(count: number) {
  const { org, person } = await app.newUser({ role: 'owner' })
  const { id: projectId } = await app.project(person)
  for (let n = 0; n < count; n++) {
    const { id } = await insertNumber(app, person, { projectId, account: SERVER_ACCOUNT })
    await wakeSender(app.sql, org.id, id, new Date())
  }
  return org.id
}

test('organizations take turns; a number is claimed once and waits a second after a message', async () => {
  const busy = await insertSenders(10)
  const other = await insertSenders(1)
  const first = await claim()
  const count = (orgId: string) => first.filter((sender) => sender.orgId === orgId).length
  expect([count(busy), count(other)]).toEqual([PER_ORGANIZATION, 1])
  expect(await claim(new Date(), [{ orgId: busy, count: PER_ORGANIZATION }])).toEqual([])
  const next = await claim()
  expect(next).toHaveLength(PER_ORGANIZATION)
  expect(next.some(({ numberId }) => first.some((sender) => sender.numberId === numberId))).toBe(false)

  const sender = first.find(({ orgId }) => orgId === other)!
  const now = new Date()
  await releaseSender(app.sql, other, sender, new Date(now.getTime() + 1000))
  // A message that is queued in between does not shorten the second.
  await wakeSender(app.sql, other, sender.numberId, now)
  const ofOther = async (at: Date) => (await claim(at)).filter(({ orgId }) => orgId === other)
  expect(await ofOther(new Date(now.getTime() + 900))).toEqual([])
  const [again] = await ofOther(new Date(now.getTime() + 1100))
  expect(again).toMatchObject({ numberId: sender.numberId, lease: sender.lease + 1 })
  // The process of the first claim continues late: it changes nothing.
  await releaseSender(app.sql, other, sender, now)
  expect(await ofOther(new Date(now.getTime() + 1200))).toEqual([])
})
