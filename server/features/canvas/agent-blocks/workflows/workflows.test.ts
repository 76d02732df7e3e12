import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
/** A second process on the same database. */
let secondApp: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  secondApp = await buildTestApp({ on: app.connection })
  await app.app.startWorker()
  await secondApp.app.startWorker()
})
afterAll(async () => {
  await secondApp.close()
  await app.close()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')
const ask = `call ask_person ${JSON.stringify({ question: 'Go on?' })}`

type Lines = Record<string, string[]>

/** A canvas with one agent block for each name, which plays its lines, and edges such as `a-b`. */
async function setup(lines: Lines, edges: string[]) {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const { id: agentId } = await client.agents.create({ name: 'Player', model: 'test/script' })
  const ids: Record<string, string> = {}
  for (const [name, each] of Object.entries(lines)) {
    const content = script(...each)
    const block = await client.canvas.create({
      projectId,
      type: 'agent',
      title: name,
      content,
      metadata: { agentId },
    })
    ids[name] = block.id
  }
  const connect = (edge: string) => {
    const [from, to] = edge.split('-') as [string, string]
    return canvas.edge(ids[from]!, ids[to]!)
  }
  for (const edge of edges) await connect(edge)
  const run = async (name: string, downstream = true) =>
    (await client.agentBlocks.run({ projectId, blockId: ids[name]!, downstream })).run
  const waitForEnd = async (id: string) => {
    await expect.poll(async () => (await client.agentRuns.get({ id })).finishedAt).not.toBeNull()
    return client.agentRuns.get({ id })
  }
  const metadata = async (name: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: metadata of any shape, which the test asserts on
    (await canvas.read()).items.find(({ id }) => id === ids[name])!.metadata as Record<string, any>
  const statuses = async () => {
    const { items } = await canvas.read()
    return Object.fromEntries(items.map(({ title, metadata: { status } }) => [title, status]))
  }
  const children = async (id: string) => (await client.agentRuns.children({ id })).items
  /** The texts that the run of a block received. */
  const inputsOf = async (name: string) => {
    const { items } = await client.sessions.messages({ id: (await metadata(name)).sessionId })
    return items.at(-1)!.content.map(({ text }) => text as string)
  }
  return { ...canvas, ids, connect, run, waitForEnd, metadata, statuses, children, inputsOf }
}

describe('a workflow', () => {
  test('runs each block in any acyclic graph once, after its inputs, with their answers', async () => {
    const graph = fc.integer({ min: 3, max: 6 }).chain((size) => {
      const pairs = Array.from({ length: size }, (_, to) =>
        Array.from({ length: to }, (__, from) => [from, to]),
      ).flat()
      return fc.record({ size: fc.constant(size), edges: fc.subarray(pairs, { minLength: 1 }) })
    })
    await fc.assert(
      fc.asyncProperty(graph, async ({ size, edges }) => {
        await app.sql`delete from rate_limits`
        const name = (n: number) => `b${n}`
        const lines = Object.fromEntries(
          Array.from({ length: size }, (_, n) => [name(n), [`say answer-${n}.`]]),
        )
        // All blocks follow the first one, so that it starts all of them.
        const all = [...edges, ...Array.from({ length: size - 1 }, (_, n) => [0, n + 1])]
        const unique = [...new Set(all.map(([from, to]) => `${name(from!)}-${name(to!)}`))]
        const work = await setup(lines, unique)
        const run = await work.run('b0')
        expect(await work.waitForEnd(run.id)).toMatchObject({ status: 'succeeded', kind: 'workflow' })
        const runs = await work.children(run.id)
        expect(runs.map(({ title }) => title).sort()).toEqual(Object.keys(lines))
        const rows = await app.sql<{ title: string; created: Date; finished: Date }[]>`
          select title, created_at as created, finished_at as finished from runs where parent_run_id = ${run.id}`
        const byTitle = new Map(rows.map((row) => [row.title, row]))
        for (const edge of unique) {
          const [from, to] = edge.split('-') as [string, string]
          expect(Number(new Date(byTitle.get(to)!.created))).toBeGreaterThanOrEqual(
            Number(new Date(byTitle.get(from)!.finished)),
          )
          expect((await work.inputsOf(to)).join('\n')).toContain(`answer-${from.slice(1)}.`)
        }
        await expect
          .poll(async () => new Set(Object.values(await work.statuses())))
          .toEqual(new Set(['done']))
      }),
      { numRuns: 4 },
    )
  })

  test('refuses a cycle and names its path, refuses a block without instructions, and still runs a block alone', async () => {
    const { run, client, projectId, ids, waitForEnd } = await setup(
      { A: ['say a'], B: ['say b'], C: ['say c'] },
      ['A-B', 'B-C', 'C-B'],
    )
    await expect(run('A')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('B → C → B'),
      details: { reason: 'cycle', path: [ids.B, ids.C, ids.B] },
    })
    const singleRun = await run('A', false)
    expect(singleRun.kind).toBe('agent')
    await waitForEnd(singleRun.id)
    await client.canvas.update({ projectId, blockId: ids.C!, content: ' ' })
    await client.canvas.remove({ projectId, blockId: ids.B! })
    await client.canvas.connect({ projectId, fromBlockId: ids.A!, toBlockId: ids.C! })
    await expect(run('A')).rejects.toMatchObject({
      message: expect.stringContaining('The block C has no instructions'),
    })
  })

  test('stops only blocks downstream from a failure, and resumes there with its original graph', async () => {
    const lines = { A: ['say a'], B: ['fail 401'], C: ['say c'], D: ['say d'], E: ['say e'] }
    const work = await setup(lines, ['A-B', 'A-C', 'B-D', 'C-D', 'C-E'])
    const { run, waitForEnd, statuses, client, projectId, ids, children, metadata } = work
    const first = await run('A')
    expect(await waitForEnd(first.id)).toMatchObject({
      status: 'failed',
      errorCode: 'workflow_failed',
      error: expect.stringMatching(/^B failed: /),
    })
    await expect.poll(statuses).toEqual({ A: 'done', B: 'failed', C: 'done', D: 'skipped', E: 'done' })
    expect(await metadata('D')).toMatchObject({ workflowRunId: first.id, runId: null, error: null })
    // The instructions of the start apply: an edit does not change the workflow, so it fails again.
    await client.canvas.update({ projectId, blockId: ids.B!, content: script('say changed') })
    const again = await client.agentRuns.retry({ id: first.id })
    expect(again).toMatchObject({ kind: 'workflow', status: 'queued' })
    expect(await waitForEnd(again.id)).toMatchObject({ status: 'failed' })
    await app.sql`update workflow_blocks set instructions = ${script('say b')} where run_id = ${again.id} and block_id = ${ids.B!}`
    const last = await client.agentRuns.retry({ id: again.id })
    expect(await waitForEnd(last.id)).toMatchObject({ status: 'succeeded' })
    // The canvas counts every block of the workflow, also those that were done before.
    const owners = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => metadata(name)))
    expect(new Set(owners.map(({ workflowRunId }) => workflowRunId))).toEqual(new Set([last.id]))
    expect((await children(last.id)).map(({ title }) => title).sort()).toEqual([
      'A',
      'B',
      'B',
      'B',
      'C',
      'D',
      'E',
    ])
    expect((await work.inputsOf('D')).join('\n')).toMatch(/Input from "B".*\n\nb\n(.|\n)*\n\nc$/)
    await expect(client.agentRuns.retry({ id: last.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('refuses a second run on its blocks, shows its state on them, and cancels unfinished ones together', async () => {
    const { run, waitForEnd, statuses, metadata, client, connect } = await setup(
      { A: ['say a'], B: [ask], C: [ask], D: ['say d'] },
      ['A-B', 'A-C', 'B-D'],
    )
    const workflow = await run('A')
    expect((await metadata('D')).status).toBe('queued')
    await expect.poll(statuses).toMatchObject({ A: 'done', B: 'waiting', C: 'waiting', D: 'queued' })
    await connect('C-D')
    await expect(run('B')).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'run_active' } })
    await client.agentRuns.cancel({ id: workflow.id })
    expect(await waitForEnd(workflow.id)).toMatchObject({ status: 'canceled' })
    await expect.poll(statuses).toEqual({ A: 'done', B: 'canceled', C: 'canceled', D: 'canceled' })
    const resumed = await client.agentRuns.retry({ id: workflow.id })
    for (const name of ['B', 'C']) {
      await expect.poll(async () => (await metadata(name)).status).toBe('waiting')
      await client.sessions.send({ id: (await metadata(name)).sessionId, content: 'yes' })
    }
    expect(await waitForEnd(resumed.id)).toMatchObject({ status: 'succeeded' })
  })

  test('survives losing its worker at each transition, and is undone as one', async () => {
    const note = (content: string) =>
      `call edit_canvas ${JSON.stringify({ create: [{ type: 'note', content }] })}`
    const play = (content: string) => [note(content), '---', 'say ok']
    const work = await setup({ A: play('one'), B: play('two'), C: play('three') }, ['A-B', 'A-C'])
    const { run, waitForEnd, children, client, read } = work
    const { id } = await run('A')
    // Simulates killed workers: takes the claim on the run away as often as possible.
    const isOver = async () => (await client.agentRuns.get({ id })).finishedAt !== null
    while (!(await isOver()))
      await app.sql`update runs set lease = lease + 1, due_at = now() where id = ${id} and status = 'running'`
    expect(await waitForEnd(id)).toMatchObject({ status: 'succeeded' })
    expect((await children(id)).map(({ title }) => title).sort()).toEqual(['A', 'B', 'C'])
    const notes = async () =>
      (await read()).items.filter(({ type }) => type === 'note').map(({ content }) => content)
    expect((await notes()).toSorted()).toEqual(['one', 'three', 'two'])
    await client.agentRuns.undo({ id })
    expect(await notes()).toEqual([])
  })
})

test("a schedule runs its block's workflow", async () => {
  const { client, projectId, ids, waitForEnd, children } = await setup({ A: ['say a'], B: ['say b'] }, [
    'A-B',
  ])
  const { id } = await client.schedules.create({ projectId, blockId: ids.A!, cron: '0 9 * * *' })
  const { run } = await client.schedules.run({ id })
  expect(run).toMatchObject({ kind: 'workflow', trigger: 'schedule', scheduleId: id })
  expect(await waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  expect(await children(run.id)).toHaveLength(2)
})
