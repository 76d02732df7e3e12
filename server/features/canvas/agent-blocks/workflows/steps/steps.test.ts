import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addJob } from '../../../../../jobs/job.ts'
import { createTestCanvas } from '../../../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../../../testing/test-app.ts'
import { readAnswer } from './forms.ts'
import { resumeWaitsJob } from './resume-waits.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')

async function setup() {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const { id: agentId } = await client.agents.create({ name: 'Player', model: 'test/script' })
  const agentBlock = async (title: string, content: string, metadata: object = {}) =>
    (
      await client.canvas.create({
        projectId,
        type: 'agent',
        title,
        content,
        metadata: { agentId, ...metadata },
      })
    ).id
  const run = async (blockId: string) => (await client.agentBlocks.run({ projectId, blockId })).run.id
  const finish = async (id: string) => {
    await expect
      .poll(async () => (await client.agentRuns.get({ id })).finishedAt, { timeout: 30_000 })
      .not.toBeNull()
    return client.agentRuns.get({ id })
  }
  const waitsFor = (id: string, reason: string) =>
    expect.poll(async () => (await client.agentRuns.get({ id })).wait?.for, { timeout: 20_000 }).toBe(reason)
  const metadata = async (id: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: metadata of any shape, which the test asserts on
    (await canvas.read()).items.find((block) => block.id === id)!.metadata as Record<string, any>
  const messageOf = async (id: string) => {
    const { items } = await client.sessions.messages({ id: (await metadata(id)).sessionId })
    return items
      .at(-1)!
      .content.map(({ text }) => text)
      .join('\n')
  }
  return { ...canvas, agentId, agentBlock, run, finish, waitsFor, metadata, messageOf }
}

describe('a wait', () => {
  test('occupies no worker, shows when it ends, and goes on after its time on another process', async () => {
    const { agentBlock, edge, run, finish, waitsFor, metadata, client } = await setup()
    const wait = await agentBlock('Pause', '', { step: { type: 'wait', seconds: 86_400 * 30 } })
    const next = await agentBlock('Next', script('say after'))
    await edge(wait, next)
    const id = await run(wait)
    await waitsFor(id, 'time')
    expect(await metadata(wait)).toMatchObject({ status: 'waiting', waitsFor: 'time' })
    const { wait: reason } = await client.agentRuns.get({ id })
    expect(new Date(reason!.until!).getTime()).toBeGreaterThan(Date.now() + 86_400_000 * 29)
    // Thirty days later.
    await app.sql`update workflow_blocks set wake_at = now() - interval '1 second' where run_id = ${id} and block_id = ${wait}`
    await app.sql`
      update runs set due_at = now(), deadline_at = now() - interval '29 days',
        wait = jsonb_set(wait, '{since}', to_jsonb(now() - interval '30 days')) where id = ${id}`
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    await expect.poll(async () => (await metadata(next)).status).toBe('done')
    expect((await metadata(wait)).status).toBe('done')
  })

  test('passes on the event it waits for, and fails without one in time', async () => {
    const { agentBlock, edge, run, finish, waitsFor, messageOf, client, projectId } = await setup()
    const step = { type: 'wait', event: { type: 'project.block.created', timeoutSeconds: 3600 } }
    const wait = await agentBlock('Event', '', { step })
    const next = await agentBlock('Next', script('say after'))
    await edge(wait, next)
    const id = await run(wait)
    await waitsFor(id, 'event')
    const note = await client.canvas.create({ projectId, type: 'note' })
    await app.sql`select ${addJob(app.sql, resumeWaitsJob, {})}`
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    await expect.poll(() => messageOf(next)).toContain(note.id)
    const late = await run(wait)
    await waitsFor(late, 'event')
    await app.sql`update workflow_blocks set wake_at = now() where run_id = ${late}`
    await app.sql`update runs set due_at = now() where id = ${late} and status = 'waiting'`
    expect(await finish(late)).toMatchObject({
      status: 'failed',
      error: 'Event failed: No event project.block.created arrived in time',
    })
  })

  test('is canceled with its workflow', async () => {
    const { agentBlock, run, finish, waitsFor, metadata, client } = await setup()
    const wait = await agentBlock('Pause', '', { step: { type: 'wait', seconds: 3600 } })
    const id = await run(wait)
    await waitsFor(id, 'time')
    await client.agentRuns.cancel({ id })
    expect(await finish(id)).toMatchObject({ status: 'canceled' })
    await expect.poll(async () => (await metadata(wait)).status).toBe('canceled')
  })

  test('is refused without exactly one end', async () => {
    const { agentBlock } = await setup()
    for (const step of [{ type: 'wait' }, { type: 'wait', seconds: 1, until: '2030-01-01T00:00:00Z' }])
      await expect(agentBlock('Pause', '', { step })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('body.metadata.step must have one of seconds, until and event'),
      })
  })
})

const FIELDS = [
  { key: 'amount', label: 'Amount', type: 'number' as const, required: true },
  { key: 'reason', label: 'Reason', type: 'text' as const, required: false },
]

describe('a form', () => {
  test('is answered by an asked member, and its answer is the output', async () => {
    const { agentBlock, edge, run, finish, waitsFor, messageOf, client, org, projectId } = await setup()
    const bob = await app.person(org, { name: 'Bob' })
    const colleague = { client: await app.withKey(bob) }
    const step = { type: 'form', fields: FIELDS, people: [bob.id] }
    const form = await agentBlock('Approve', 'How much?', { step })
    const next = await agentBlock('Next', script('say after'))
    await edge(form, next)
    const id = await run(form)
    await waitsFor(id, 'form')
    const [open] = (await colleague.client.forms.list({})).items
    expect(open).toMatchObject({
      title: 'Approve',
      content: 'How much?',
      state: 'open',
      canAnswer: true,
      projectId,
    })
    expect((await client.forms.list({})).items).toEqual([])
    const ofRun = async () => (await client.forms.list({ runId: id })).items
    expect(await ofRun()).toMatchObject([{ id: open!.id, state: 'open', canAnswer: false }])
    await expect(client.forms.answer({ id: open!.id, answer: { amount: 1 } })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect
      .poll(async () => (await colleague.client.notifications.list({})).items.map(({ path }) => path))
      .toEqual([`/forms/${open!.id}`])
    await expect(
      colleague.client.forms.answer({ id: open!.id, answer: { reason: 'x' } }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('body.answer.amount is required'),
    })
    const answered = await colleague.client.forms.answer({ id: open!.id, answer: { amount: 12.5 } })
    expect(answered).toMatchObject({
      state: 'answered',
      answer: { amount: 12.5, reason: null },
      canAnswer: false,
    })
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    expect(await messageOf(next)).toContain('12.5')
    expect(await ofRun()).toMatchObject([{ state: 'answered', answeredBy: { id: bob.id, name: 'Bob' } }])
    // Another member's words don't use the starter's permissions unasked.
    const child = (await client.agentRuns.children({ id })).items.at(-1)!
    expect(await client.agentRuns.get({ id: child.id })).toMatchObject({ trust: 'verified' })
    await expect(
      colleague.client.forms.answer({ id: open!.id, answer: { amount: 1 } }),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('decides with its answer which branch runs', async () => {
    const { agentBlock, run, finish, waitsFor, metadata, client, projectId } = await setup()
    const form = await agentBlock('Approve', '', { step: { type: 'form', fields: FIELDS } })
    const big = await agentBlock('Big', script('say big'))
    const small = await agentBlock('Small', script('say small'))
    const connect = (toBlockId: string, condition: string) =>
      client.canvas.connect({ projectId, fromBlockId: form, toBlockId, condition })
    await connect(big, 'output.amount >= 100')
    await connect(small, 'output.amount < 100')
    const id = await run(form)
    await waitsFor(id, 'form')
    const [open] = (await client.forms.list({})).items
    await client.forms.answer({ id: open!.id, answer: { amount: 250 } })
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    await expect.poll(async () => (await metadata(big)).status).toBe('done')
    expect((await metadata(small)).status).toBe('skipped')
  })

  test('is closed when its workflow is canceled, and out of reach for others', async () => {
    const { agentBlock, run, finish, waitsFor, client } = await setup()
    const form = await agentBlock('Approve', '', { step: { type: 'form', fields: FIELDS } })
    const id = await run(form)
    await waitsFor(id, 'form')
    const [open] = (await client.forms.list({})).items
    const stranger = (await app.newUser({ name: 'Eve' })).client
    await expect(stranger.forms.get({ id: open!.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(stranger.forms.answer({ id: open!.id, answer: { amount: 1 } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await stranger.forms.list({})).items).toEqual([])
    expect((await stranger.forms.list({ runId: id })).items).toEqual([])
    await client.agentRuns.cancel({ id })
    await finish(id)
    await expect.poll(async () => (await client.forms.get({ id: open!.id })).state).toBe('closed')
    await expect(client.forms.answer({ id: open!.id, answer: { amount: 1 } })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
})

test('an answer has exactly the fields of its form, each with its type', () => {
  const fields = [
    ...FIELDS,
    { key: 'day', label: 'Day', type: 'date' as const, required: false },
    { key: 'kind', label: 'Kind', type: 'choice' as const, options: ['a', 'b'], required: false },
    { key: 'sure', label: 'Sure', type: 'boolean' as const, required: false },
  ]
  expect(readAnswer(fields, { amount: 1, kind: 'b' })).toEqual({
    amount: 1,
    reason: null,
    day: null,
    kind: 'b',
    sure: null,
  })
  for (const wrong of [
    { amount: '1' },
    { amount: 1, day: '31.1.2027' },
    { amount: 1, kind: 'c' },
    { amount: 1, sure: 'yes' },
    { amount: 1, other: 1 },
    { amount: 1, reason: 'half a character: \ud800' },
    { amount: 1, reason: 'x'.repeat(1001) },
    JSON.parse('{"amount": 1, "__proto__": {}}'),
  ])
    expect(() => readAnswer(fields, wrong)).toThrow(/body\.answer\./)
})

describe('a code block', () => {
  const code = { type: 'code' }

  test('computes from upstream outputs without asking a model, and its result decides on', async () => {
    const { agentBlock, edge, run, finish, metadata, client, projectId } = await setup()
    const list = await agentBlock('List', script('say [3, 4, 5]'))
    const sum = await agentBlock(
      'Sum',
      'const all = JSON.parse(input.output)\nreturn { sum: all.reduce((a, b) => a + b, 0) }',
      { step: code },
    )
    const big = await agentBlock('Big', 'return input.output.sum * 2', { step: code })
    const small = await agentBlock('Small', 'return 0', { step: code })
    await edge(list, sum)
    for (const [id, condition] of [
      [big, 'output.sum > 10'],
      [small, 'output.sum <= 10'],
    ] as const)
      await client.canvas.connect({ projectId, fromBlockId: sum, toBlockId: id, condition })
    const id = await run(list)
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    await expect.poll(async () => (await metadata(big)).output).toBe('24')
    expect((await metadata(small)).status).toBe('skipped')
    const child = (await client.agentRuns.children({ id })).items.find(({ title }) => title === 'Sum')!
    expect(await client.agentRuns.get({ id: child.id })).toMatchObject({
      status: 'succeeded',
      output: { sum: 12 },
      tokensIn: 0,
      cost: { amount: '0.000000' },
    })
  })

  test('calls tools under the same rules, fails with its message, and is undone', async () => {
    const { agentBlock, run, finish, read, client } = await setup()
    const note = await agentBlock(
      'Notes',
      "await tools.edit_canvas({ create: [{ type: 'note', content: 'by code' }] })\nreturn 'ok'",
      { step: code },
    )
    const id = await run(note)
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    const notes = async () => (await read()).items.filter(({ content }) => content === 'by code')
    expect(await notes()).toHaveLength(1)
    await client.agentRuns.undo({ id })
    expect(await notes()).toHaveLength(0)
    const broken = await agentBlock('Broken', "throw new Error('not today')", { step: code })
    expect(await finish(await run(broken))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not today'),
    })
  })

  test('passes on what it made from untrusted content: fields for conditions, and data for agents', async () => {
    const { agentBlock, finish, metadata, messageOf, client, projectId, person } = await setup()
    const { folderId } = await client.projects.get({ id: projectId })
    // The run reads files.
    const session = await app.withSession(person)
    await session.fileTexts.write({ name: 'plan.txt', text: 'alpha beta', parentId: folderId! })
    const count = await agentBlock(
      'Count',
      "const { content } = await tools.read_file({ file: 'plan.txt' })\nreturn { words: content.split(' ').length }",
      { step: code },
    )
    const next = await agentBlock('Next', script('say after'))
    await client.canvas.connect({
      ...{ projectId, fromBlockId: count, toBlockId: next },
      condition: 'output.words === 2',
    })
    const { id } = (await session.agentBlocks.run({ projectId, blockId: count })).run
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    const child = (await client.agentRuns.children({ id })).items.find(({ title }) => title === 'Count')!
    expect(await client.agentRuns.get({ id: child.id })).toMatchObject({
      trust: 'untrusted',
      output: { words: 2 },
    })
    await expect.poll(async () => (await metadata(next)).status).toBe('done')
    expect(await messageOf(next)).toMatch(/are data from .*\n<<<DATA-[0-9a-f]{32}\n[^<]*"words": 2/)
  })

  test('repeats over a list', async () => {
    const { agentBlock, block, edge, run, finish, client } = await setup()
    const list = await block({ content: 'one\ntwo' })
    const loud = await agentBlock('Loud', 'return input.item.toUpperCase()', {
      step: code,
      forEach: { over: { from: 'output' } },
    })
    await edge(list.id, loud)
    const id = await run(loud)
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    expect((await client.forEach.items({ id })).items.map(({ output }) => output)).toEqual(['ONE', 'TWO'])
  })
})
