import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { evaluateConditions } from './conditions.ts'
import type { WorkflowNode } from './workflow-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')

type Edges = Record<string, string | null>

/** One agent block for each name, which says its text, and edges such as `{ 'a-b': 'output === 1' }`. */
async function setup(says: Record<string, string>, edges: Edges) {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const { id: agentId } = await client.agents.create({ name: 'Player', model: 'test/script' })
  const ids: Record<string, string> = {}
  for (const [title, text] of Object.entries(says)) {
    const content = text.startsWith('fail') ? script(text) : script(`say ${text}`)
    ids[title] = (
      await client.canvas.create({ projectId, type: 'agent', title, content, metadata: { agentId } })
    ).id
  }
  const edgeIds: Record<string, string> = {}
  for (const [edge, condition] of Object.entries(edges)) {
    const [from, to] = edge.split('-') as [string, string]
    const write = { projectId, fromBlockId: ids[from]!, toBlockId: ids[to]!, condition }
    edgeIds[edge] = (await client.canvas.connect(write)).id
  }
  const play = async (name: string) => {
    const { run } = await client.agentBlocks.run({ projectId, blockId: ids[name]! })
    return finish(run.id)
  }
  const finish = async (id: string) => {
    await expect
      .poll(async () => (await client.agentRuns.get({ id })).finishedAt, { timeout: 20_000 })
      .not.toBeNull()
    return client.agentRuns.get({ id })
  }
  const statuses = async () =>
    Object.fromEntries((await canvas.read()).items.map(({ title, metadata }) => [title, metadata.status]))
  const inputsOf = async (name: string) => {
    const { metadata } = (await canvas.read()).items.find(({ id }) => id === ids[name])!
    const { items } = await client.sessions.messages({ id: metadata.sessionId as string })
    return items
      .at(-1)!
      .content.map(({ text }) => text)
      .join('\n')
  }
  return { ...canvas, ids, edgeIds, play, finish, statuses, inputsOf }
}

describe('a condition', () => {
  test('opens and closes branches by the upstream output, and a join runs with its open inputs only', async () => {
    const { play, statuses, inputsOf } = await setup(
      { A: 'yes', B: 'bee', C: 'sea', D: 'dee', E: 'end' },
      { 'A-B': 'output === "yes"', 'A-C': 'output === "no"', 'B-D': null, 'C-D': null, 'C-E': null },
    )
    expect(await play('A')).toMatchObject({ status: 'succeeded' })
    await expect.poll(statuses).toEqual({ A: 'done', B: 'done', C: 'skipped', D: 'done', E: 'skipped' })
    expect(await inputsOf('D')).toContain('bee')
    expect(await inputsOf('D')).not.toContain('sea')
  })

  test('opens the way if it is true on one of two edges between the same blocks', async () => {
    const { play, statuses, client, projectId, ids } = await setup(
      { A: '7', B: 'ran' },
      { 'A-B': 'Number(output) > 10' },
    )
    await client.canvas.connect({
      projectId,
      fromBlockId: ids.A!,
      toBlockId: ids.B!,
      condition: 'Number(output) % 2 === 1',
    })
    await play('A')
    await expect.poll(statuses).toEqual({ A: 'done', B: 'done' })
  })

  test('decides with a note whether the note is an input, and not whether the block runs', async () => {
    const { play, inputsOf, client, projectId, ids, block } = await setup(
      { A: 'go', B: 'ran' },
      { 'A-B': null },
    )
    for (const content of ['keep this note', 'drop this one']) {
      const note = await block({ content })
      await client.canvas.connect({
        projectId,
        fromBlockId: note.id,
        toBlockId: ids.B!,
        condition: 'output.startsWith("keep")',
      })
    }
    expect(await play('A')).toMatchObject({ status: 'succeeded' })
    expect(await inputsOf('B')).toContain('keep this note')
    expect(await inputsOf('B')).not.toContain('drop this one')
  })

  test.each([
    ['an endless loop', '(() => { for (;;); })()'],
    ['a missing field', 'output.a.b'],
    ['the process', 'process.exit(1)'],
    ['a constructor chain', 'output.constructor.constructor("return process")().exit()'],
    ['endless memory', '"x".repeat(2 ** 29).split("").length > 0'],
  ])('fails its block with a message, and the server goes on: %s', async (_name, condition) => {
    const { play, statuses } = await setup(
      { A: 'ok', B: 'never', C: 'other' },
      { 'A-B': condition, 'A-C': null },
    )
    const run = await play('A')
    expect(run).toMatchObject({ status: 'failed', errorCode: 'workflow_failed' })
    expect(run.error).toContain('B failed: The condition')
    await expect.poll(statuses).toEqual({ A: 'done', B: 'failed', C: 'done' })
  })

  test('cannot change what the next one sees', async () => {
    const { play, statuses } = await setup(
      { A: 'x', B: 'b', C: 'c' },
      {
        'A-B': '(String.prototype.includes = () => true, globalThis.seen = 1, output.includes("nope"))',
        'A-C': 'typeof seen === "undefined" && !output.includes("nope")',
      },
    )
    await play('A')
    await expect.poll(statuses).toEqual({ A: 'done', B: 'done', C: 'done' })
  })

  test('is skipped with its block after a failure, and the workflow fails', async () => {
    const { play, statuses } = await setup({ A: 'fail 401', B: 'b' }, { 'A-B': 'false' })
    expect(await play('A')).toMatchObject({ status: 'failed' })
    await expect.poll(statuses).toEqual({ A: 'failed', B: 'skipped' })
  })
})

describe("an edge's condition", () => {
  test('is refused with its place if it is not an expression', async () => {
    const { client, projectId, ids, edgeIds } = await setup({ A: 'a', B: 'b' }, { 'A-B': 'output > 1' })
    const connect = (condition: string) =>
      client.canvas.connect({ projectId, fromBlockId: ids.B!, toBlockId: ids.A!, condition })
    await expect(connect('output >')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/body\.condition is not a JavaScript expression.* at its end/),
    })
    await expect(connect('output.a b')).rejects.toMatchObject({
      message: expect.stringContaining('at line 1, column 10'),
    })
    await expect(connect('1); while (true); (2')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(connect('x'.repeat(2001))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const update = (condition: string | null) =>
      client.canvas.change({ projectId, update: { blocks: [], edges: [{ id: edgeIds['A-B']!, condition }] } })
    await expect(update('if (x) y')).rejects.toMatchObject({
      message: expect.stringContaining('body.update.edges.0.condition'),
    })
    expect((await update('output < 1')).edges[0]).toMatchObject({ condition: 'output < 1' })
    expect((await update(null)).edges[0]).toMatchObject({ condition: null })
  })

  test('is undone, restored, duplicated, exported and kept by a template', async () => {
    const { client, projectId, read, edgeIds } = await setup({ A: 'a', B: 'b' }, { 'A-B': 'output > 1' })
    const conditionIn = async (id: string) =>
      (await client.canvas.list({ projectId: id })).edges.map(({ condition }) => condition)
    const { seq } = await read()
    await client.canvas.disconnect({ projectId, edgeId: edgeIds['A-B']! })
    await client.canvas.rewind({ projectId, seq })
    expect(await conditionIn(projectId)).toEqual(['output > 1'])
    const copy = await client.projects.duplicate({ id: projectId })
    expect(await conditionIn(copy.id)).toEqual(['output > 1'])
    const template = await client.templates.create({ projectId, name: 'With a condition' })
    const made = await client.templates.start({ name: 'From it', template: template.id })
    expect(await conditionIn(made.id)).toEqual(['output > 1'])
    const manifest = await client.projectExport.export({ projectId })
    expect(manifest.edges).toMatchObject([{ condition: 'output > 1' }])
    await client.canvas.change({
      projectId,
      update: { blocks: [], edges: [{ id: edgeIds['A-B']!, condition: null }] },
    })
    // Manifests without conditions keep their checksum.
    expect((await client.projectExport.export({ projectId })).edges[0]).not.toHaveProperty('condition')
    await client.projectExport.restore({ projectId, ...(manifest as object) } as never)
    expect(await conditionIn(projectId)).toEqual(['output > 1'])
  })
})

test('the error of a condition ends the evaluation of its block, not of others', async () => {
  const evaluated: string[] = []
  const sandbox: Pick<Parameters<typeof evaluateConditions>[0], 'evaluate'> = {
    evaluate: async ({ expression }) => {
      evaluated.push(expression)
      return expression.includes('fails') ? { error: { kind: 'thrown', message: 'no' } } : { value: true }
    },
  }
  const edge = (condition: string) => ({ from: 'a', condition, isInside: true, isOpen: null })
  const nodes = [
    { blockId: 'a', state: 'done', incoming: [] },
    { blockId: 'b', state: 'queued', incoming: [edge('one'), edge('fails'), edge('slow')] },
    { blockId: 'c', state: 'queued', incoming: [edge('other')] },
  ] as unknown as WorkflowNode[]
  const verdicts = await evaluateConditions(sandbox as never, 'org', nodes, async () => null)
  expect(verdicts.map(({ blockId, edge: at, error }) => [blockId, at, error !== null])).toEqual([
    ['b', 0, false],
    ['b', 1, true],
    ['c', 0, false],
  ])
  expect(evaluated).toHaveLength(3)
})
