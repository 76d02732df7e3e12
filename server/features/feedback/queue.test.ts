import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, buildTestApp, cookie, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
// The queue shows the submissions of every organization, so each test starts with none.
beforeEach(() => app.sql`truncate feedback cascade`)

async function newSubmission(message = 'Please look') {
  const submitter = await app.newUser({ name: 'Ada' })
  return { ...submitter, item: await submitter.client.feedback.submit({ message }) }
}

const messagesOf = ({ items }: { items: { message: string }[] }) => items.map(({ message }) => message)

describe('the operator queue', () => {
  test.each([
    ['GET', '/api/v1/admin/feedback'],
    ['GET', '/api/v1/admin/feedback/01890000-0000-7000-8000-000000000000'],
    ['PATCH', '/api/v1/admin/feedback/01890000-0000-7000-8000-000000000000'],
  ])('%s %s responds only to operators in the browser', async (method, path) => {
    const owner = await app.person(await app.organization(), { role: 'owner' })
    const refused = await app.request(method, path, { headers: cookie(await app.session(owner)) })
    expect([refused.status, refused.body.error.details]).toEqual([403, { reason: 'operator_required' }])

    const { person } = await app.operator()
    const { status, body } = await app.request(method, path, { headers: bearer(await app.key(person)) })
    expect([status, body.error.message, body.error.details]).toEqual([
      403,
      'The operator queue requires a browser session',
      { reason: 'browser_session_required' },
    ])
  })

  test("lists every organization's submissions with their submitters, newest first", async () => {
    const first = await newSubmission('first')
    const second = await newSubmission('second')
    const { client } = await app.operator()
    const queue = await client.feedback.queue({})
    expect(messagesOf(queue)).toEqual(['second', 'first'])
    expect(queue.items[1]).toEqual({
      ...first.item,
      organization: { id: first.org.id, name: first.org.name },
      submitter: { id: first.person.id, name: 'Ada', email: first.person.email },
    })
    expect(await client.feedback.inspect({ id: second.item.id })).toEqual({ ...queue.items[0], changes: [] })
  })

  test('filters by status, and counts every status', async () => {
    const [a, b] = [await newSubmission('a'), await newSubmission('b'), await newSubmission('c')]
    const { client } = await app.operator()
    await client.feedback.handle({ id: a.item.id, status: 'triaged' })
    await client.feedback.handle({ id: b.item.id, status: 'declined' })
    const triaged = await client.feedback.queue({ status: 'triaged' })
    expect(messagesOf(triaged)).toEqual(['a'])
    expect(triaged.counts).toEqual({
      open: 1,
      triaged: 1,
      linked: 0,
      handed_off: 0,
      resolved: 0,
      declined: 1,
    })
  })

  test('stops counting at 1,001', async () => {
    const { org, person } = await newSubmission()
    await app.sql`
      insert into feedback (org_id, id, user_id, message, metadata, created_at, updated_at)
      select ${org.id}, gen_random_uuid(), ${person.id}, 'many', '{}', now(), now() from generate_series(1, 1100)`
    const { client } = await app.operator()
    expect((await client.feedback.queue({ limit: 1 })).counts.open).toBe(1001)
  })

  test('pages by a cursor valid only for its own filter', async () => {
    for (const message of ['a', 'b', 'c']) await newSubmission(message)
    const { client } = await app.operator()
    const first = await client.feedback.queue({ limit: 2 })
    await newSubmission('d')
    const cursor = first.nextCursor!
    const second = await client.feedback.queue({ limit: 2, cursor })
    expect([messagesOf(first), messagesOf(second)]).toEqual([['c', 'b'], ['a']])
    expect(second.nextCursor).toBeNull()
    for (const query of [{ status: 'open' as const, cursor }, { cursor: `${cursor}x` }]) {
      await expect(client.feedback.queue(query)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })

  test('refuses an unknown status', async () => {
    const headers = cookie(await app.session((await app.operator()).person))
    const { status, body } = await app.request('GET', '/api/v1/admin/feedback?status=lost', { headers })
    expect([status, body.error.details[0].path]).toEqual([400, 'query.status'])
  })
})

describe('a status change', () => {
  const steps = [
    ['triaged', 'under_review'],
    ['linked', 'planned'],
    ['handed_off', 'in_progress'],
    ['resolved', 'done'],
    ['declined', 'declined'],
    ['open', 'received'],
  ] as const

  test('shows the submitter the public status', async () => {
    const { client, item } = await newSubmission()
    const operator = await app.operator()
    for (const [status, publicStatus] of steps) {
      await operator.client.feedback.handle({ id: item.id, status, taskId: 'T-1' })
      expect(await client.feedback.get({ id: item.id })).toMatchObject({ status, publicStatus })
    }
  })

  test('is stored in the history with its operator, task and note', async () => {
    const { item } = await newSubmission()
    const { client, person } = await app.operator({ name: 'Grace' })
    await client.feedback.handle({ id: item.id, status: 'triaged', note: 'Can be reproduced' })
    await client.feedback.handle({ id: item.id, status: 'linked', taskId: 'T-7' })
    const { changes, ...inspected } = await client.feedback.inspect({ id: item.id })
    const by = { id: expect.any(String), operator: { id: person.id, name: 'Grace' } }
    const createdAt = expect.any(String)
    expect(changes).toEqual([
      { ...by, fromStatus: 'open', toStatus: 'triaged', taskId: null, note: 'Can be reproduced', createdAt },
      { ...by, fromStatus: 'triaged', toStatus: 'linked', taskId: 'T-7', note: null, createdAt },
    ])
    expect(inspected).toMatchObject({ status: 'linked', taskId: 'T-7', editable: false })
  })

  test('needs a task to become linked, in the request or stored', async () => {
    const { item } = await newSubmission()
    const { client } = await app.operator()
    const link = { id: item.id, status: 'linked' as const }
    await expect(client.feedback.handle(link)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.taskId', message: 'is required to link a submission to a task' }],
    })
    await client.feedback.handle({ id: item.id, status: 'triaged', taskId: 'T-1' })
    expect(await client.feedback.handle(link)).toMatchObject({ taskId: 'T-1' })
    await expect(client.feedback.handle({ ...link, taskId: null })).rejects.toMatchObject({ status: 400 })
  })

  test('succeeds once if two operators send the same version', async () => {
    const { item } = await newSubmission()
    const operators = [await app.operator(), await app.operator()]
    const results = await Promise.allSettled(
      operators.map(({ client }) =>
        client.feedback.handle({ id: item.id, status: 'triaged' }, { ifMatch: '"1"' }),
      ),
    )
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(failures).toMatchObject([{ status: 412, code: 'PRECONDITION_FAILED' }])
    const { changes } = await operators[0]!.client.feedback.inspect({ id: item.id })
    expect(changes).toHaveLength(1)
  })

  test('returns the etag for the next change', async () => {
    const { item } = await newSubmission()
    const headers = cookie(await app.session((await app.operator()).person))
    const path = `/api/v1/admin/feedback/${item.id}`
    const changed = await app.request('PATCH', path, { headers, body: { status: 'triaged' } })
    const read = await app.request('GET', path, { headers })
    expect(changed.headers.get('etag')).toMatch(/^"2\./)
    expect(read.headers.get('etag')).toMatch(/^"2\./)
  })

  test('is NOT_FOUND for an unknown submission, and BAD_REQUEST for an unknown status', async () => {
    const { item } = await newSubmission()
    const headers = cookie(await app.session((await app.operator()).person))
    const handle = (id: string, status: string) =>
      app.request('PATCH', `/api/v1/admin/feedback/${id}`, { headers, body: { status } })
    expect((await handle('01890000-0000-7000-8000-000000000000', 'triaged')).status).toBe(404)
    expect((await handle(item.id, 'lost')).status).toBe(400)
  })
})
