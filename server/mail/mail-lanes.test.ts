import { afterEach, expect, onTestFinished, test } from 'vitest'
import { LANES } from '../jobs/job.ts'
import { type DeliveredMail, startMailServer } from '../testing/fakes/mail-server.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { queueMail } from './mail.ts'

let app: TestApp
afterEach(() => app.close())

async function startApp(onMail: (mail: DeliveredMail) => Promise<void> | void) {
  const server = await startMailServer(onMail)
  onTestFinished(() => server.close())
  app = await buildTestApp({ env: { ATRIUM_SMTP_URL: server.url } })
}

const queue = (orgId: string, to: string) =>
  queueMail(app.sql, orgId, { id: `mail-to-${to}`, to, subject: 'News', text: 'News' }, app.clock.now())

test('a sign-in link is sent while every other mail worker waits', async () => {
  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  const waiting: string[] = []
  const sent: string[] = []
  await startApp(async ({ to, raw }) => {
    if (raw.includes('sign-in link')) return void sent.push(to)
    waiting.push(to)
    await held.promise
  })
  await app.app.startWorker()
  const org = await app.organization()
  const other = await app.organization()
  for (let n = 0; n < 3 * LANES.mail; n++) await queue(n % 2 ? org.id : other.id, `guest-${n}@example.com`)
  await expect.poll(() => waiting.length, { timeout: 15_000 }).toBe(LANES.mail)

  const { email } = await app.person(org, { verified: true })
  await app.as({}).signIn.sendMagicLink({ email })
  await expect.poll(() => sent, { timeout: 15_000 }).toEqual([email])
  expect(waiting).toHaveLength(LANES.mail)
  held.resolve()
})

test("organizations take turns, so one organization's mail does not delay another's", async () => {
  const order: string[] = []
  await startApp(({ to }) => void order.push(to))
  const [busy, other] = [await app.organization(), await app.organization()]
  for (let n = 0; n < 20; n++) await queue(busy.id, `busy-${n}@example.com`)
  for (let n = 0; n < 2; n++) await queue(other.id, `other-${n}@example.com`)
  await app.app.startWorker()
  await expect.poll(() => order.length, { timeout: 30_000 }).toBe(22)
  // Turn n is the n-th mail of each organization; the workers send as many in parallel as the lane has.
  for (const n of [0, 1]) {
    expect(order.indexOf(`other-${n}@example.com`)).toBeLessThan(2 * (n + 1) + LANES.mail)
  }
})

test('an organization that joins a queue takes its turn at the front', async () => {
  await startApp(() => {})
  const [busy, other] = [await app.organization(), await app.organization()]
  for (let n = 0; n < 5; n++) await queue(busy.id, `busy-${n}@example.com`)
  await app.sql`update mails set sent_at = now() where recipient in ('busy-0@example.com', 'busy-1@example.com')`
  await queue(other.id, 'other@example.com')
  await queue(busy.id, 'busy-5@example.com')
  const rows = await app.sql`select recipient, turn from mails where sent_at is null order by turn, recipient`
  expect(rows.map(({ recipient, turn }) => `${turn} ${recipient}`)).toEqual([
    '3 busy-2@example.com',
    '3 other@example.com',
    '4 busy-3@example.com',
    '5 busy-4@example.com',
    '6 busy-5@example.com',
  ])
})
