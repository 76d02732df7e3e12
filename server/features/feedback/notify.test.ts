import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { captureLog } from '../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { announceSubmission } from './notify.ts'

const log = captureLog()

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream, env: { ATRIUM_PUBLIC_URL: 'http://atrium.example' } })
  await app.app.startWorker()
})
afterAll(() => app.close())
// Every operator is notified of every submission, so each test starts without operators.
beforeEach(() => app.sql`update users set is_operator = false`)

/** When the job queue is empty, every mail has been sent. */
async function waitForJobs() {
  await expect
    .poll(() => app.sql`select task_identifier, last_error from graphile_worker.jobs`)
    .toHaveLength(0)
}

/** The mails in the outbox that contain this text. */
async function mailsWith(text: string): Promise<string[]> {
  const folder = join(app.dataFolder, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const unfolded = mails.map((mail) => mail.replaceAll('=\n', ''))
  return unfolded.filter((mail) => mail.includes(text))
}

const recipientsOf = (mails: string[]) => mails.map((mail) => /^To: (.*)$/m.exec(mail)![1]!).sort()

async function newSubmission(message: string) {
  const submitter = await app.newUser({ name: 'Ada' })
  return { ...submitter, ...(await submitter.client.feedback.submit({ message })) }
}

describe('a submission', () => {
  test('is mailed to every operator, with its author and a link to the queue', async () => {
    const operators = [await app.operator(), await app.operator()]
    const { id } = await newSubmission('The canvas flickers')
    await waitForJobs()
    const mails = await mailsWith(id)
    expect(recipientsOf(mails)).toEqual(operators.map(({ person }) => person.email).sort())
    expect(mails[0]).toMatch(/^Subject: Feedback from Ada \(Org .*\): The canvas flickers$/m)
    expect(mails[0]).toContain(`http://atrium.example/operate/feedback/${id}`)
  })

  test('is mailed once, even if its job runs again', async () => {
    await app.operator()
    const { id, org } = await newSubmission('Only once')
    await waitForJobs()
    const { enqueue } = app.app.system()
    await enqueue(announceSubmission, { orgId: org.id, id })
    await enqueue(announceSubmission, { orgId: org.id, id })
    await waitForJobs()
    expect(await mailsWith(id)).toHaveLength(1)
    expect(log.lines.filter((line) => line.includes('mail to') && line.includes(id))).toHaveLength(1)
  })

  test('is not mailed to its author if they are an operator', async () => {
    const operator = await app.operator()
    const { id } = await operator.client.feedback.submit({ message: 'I know' })
    await waitForJobs()
    expect(await mailsWith(id)).toEqual([])
  })
})

describe('a comment', () => {
  test('is mailed to the submitter and the earlier commenters, but not to its author', async () => {
    const { id, org, client, person } = await newSubmission('Hello')
    const admin = await app.person(org, { role: 'admin' })
    await app.person(org, { role: 'owner' })
    const adminClient = await app.withKey(admin)
    await adminClient.feedback.comment({ id, body: 'What do you see?' })
    await waitForJobs()
    expect(recipientsOf(await mailsWith('What do you see?'))).toEqual([person.email])
    await client.feedback.comment({ id, body: 'A blank page' })
    await waitForJobs()
    const mails = await mailsWith('A blank page')
    expect(recipientsOf(mails)).toEqual([admin.email])
    expect(mails[0]).toContain(`http://atrium.example/feedback/${id}`)
  })
})

describe('a status change', () => {
  test('is mailed to the submitter with the public status if that changes', async () => {
    const { id, person } = await newSubmission('Please fix')
    const { client } = await app.operator()
    await client.feedback.handle({ id, status: 'handed_off', note: 'Internal note' })
    await waitForJobs()
    const mails = (await mailsWith(id)).filter((mail) => mail.includes(`To: ${person.email}`))
    expect(mails).toHaveLength(1)
    expect(mails[0]).not.toContain('Internal note')
    expect(await app.sql`select subject from mails where recipient = ${person.email}`).toEqual([
      { subject: 'Your feedback is now “in progress”' },
    ])
  })

  test('is not mailed if the public status stays the same', async () => {
    const { id, person } = await newSubmission('Please fix')
    const { client } = await app.operator()
    await client.feedback.handle({ id, status: 'open', note: 'Seen' })
    await waitForJobs()
    expect(await mailsWith(`To: ${person.email}`)).toEqual([])
  })
})
