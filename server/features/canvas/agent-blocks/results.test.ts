import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { createSharedProject, guestHeaders } from '../../../testing/factories/sharing.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')
const SCHEMA = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } } },
  required: ['names'],
}

async function setup(first: string[], outputSchema: object = SCHEMA) {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const { id: agentId } = await client.agents.create({ name: 'Player', model: 'test/script' })
  const create = (title: string, content: string, metadata: object = {}) =>
    client.canvas.create({ projectId, type: 'agent', title, content, metadata: { agentId, ...metadata } })
  const source = await create('Source', script(...first), { outputSchema })
  const target = await create('Target', script('say done'))
  await canvas.edge(source.id, target.id)
  const run = async (blockId: string, downstream = true) =>
    (await client.agentBlocks.run({ projectId, blockId, downstream })).run
  const waitForEnd = async (id: string) => {
    await expect.poll(async () => (await client.agentRuns.get({ id })).finishedAt).not.toBeNull()
    return client.agentRuns.get({ id })
  }
  const metadata = async (id: string) => (await canvas.read()).items.find((each) => each.id === id)!.metadata
  const children = async (id: string) => (await client.agentRuns.children({ id })).items
  /** What the block's last run received. */
  const inputs = async (id: string) => {
    const { sessionId } = (await metadata(id)) as { sessionId: string }
    const { items } = await client.sessions.messages({ id: sessionId })
    const message = items.findLast(({ role }) => role === 'user')!
    return message.content.map(({ text }) => text as string)
  }
  return { client, projectId, source, target, run, waitForEnd, metadata, children, inputs }
}

describe('an agent block with a result format', () => {
  test('passes its result as JSON, in a workflow and to a block that runs later', async () => {
    const work = await setup(['say The names are: {"names":["Ada","Grace"]}'])
    const run = await work.run(work.source.id)
    expect(await work.waitForEnd(run.id)).toMatchObject({
      status: 'succeeded',
      kind: 'workflow',
      output: null,
    })
    const [child] = await work.children(run.id)
    expect(await work.client.agentRuns.get({ id: child!.id })).toMatchObject({
      output: { names: ['Ada', 'Grace'] },
    })
    const json = JSON.stringify({ names: ['Ada', 'Grace'] }, null, 2)
    expect((await work.inputs(work.target.id))[1]).toBe(`Input from "Source" (${work.source.id}):\n\n${json}`)
    await expect
      .poll(() => work.metadata(work.source.id))
      .toMatchObject({ status: 'done', output: json, outputIsData: true, outputRunId: child!.id })
    await work.waitForEnd((await work.run(work.target.id, false)).id)
    expect((await work.inputs(work.target.id))[1]).toContain(json)
  })

  test('passes a long result whole, although the block shows its beginning', async () => {
    const names = Array.from({ length: 3000 }, (_, n) => `Name ${n}`)
    const work = await setup([`say ${JSON.stringify({ names })}`])
    await work.waitForEnd((await work.run(work.source.id, false)).id)
    await expect.poll(() => work.metadata(work.source.id)).toMatchObject({ status: 'done' })
    expect(((await work.metadata(work.source.id)) as { output: string }).output.length).toBeLessThan(21_000)
    await work.waitForEnd((await work.run(work.target.id, false)).id)
    expect((await work.inputs(work.target.id))[1]).toContain('"Name 2999"\n  ]\n}')
  })

  test('stops the workflow if its answer stays invalid', async () => {
    const wrong = 'say {"names":"Ada"}'
    const work = await setup([wrong, '---', wrong, '---', wrong])
    const run = await work.run(work.source.id)
    expect(await work.waitForEnd(run.id)).toMatchObject({
      status: 'failed',
      errorCode: 'workflow_failed',
      error: expect.stringContaining('names must be a list'),
    })
    expect(await work.children(run.id)).toHaveLength(1)
    await expect.poll(() => work.metadata(work.target.id)).toMatchObject({ status: 'skipped' })
    expect(await work.metadata(work.source.id)).toMatchObject({ output: null, outputIsData: false })
  })

  test('is refused with the place of the problem', async () => {
    const wrong = { type: 'object', properties: { a: { type: 'text' } } }
    await expect(setup(['say x'], wrong)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.metadata.outputSchema.properties.a.type' }],
    })
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }
    const work = await setup(['say x'], pattern)
    await expect(work.run(work.source.id)).rejects.toMatchObject({
      details: [{ path: 'metadata.outputSchema.properties.a.pattern' }],
    })
  })
})

describe('a result format that another author set', () => {
  test('does not run if a guest wrote it', async () => {
    const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
    const guest = app.as(await guestHeaders(app, token))
    const projectId = project.id
    const { id: blockId } = await browser.canvas.create({ projectId, type: 'agent', content: 'Summarize' })
    await guest.canvas.update({ projectId, blockId, metadata: { outputSchema: SCHEMA } })
    const run = () => browser.agentBlocks.run({ projectId, blockId })
    await expect(run()).rejects.toMatchObject({ details: { reason: 'outside_instructions' } })
    await browser.canvas.update({ projectId, blockId, metadata: {} })
    expect((await run()).run.trust).toBe('trusted')
  })

  test('lowers the trust of a run that a higher role starts', async () => {
    const org = await app.organization()
    const [member, owner] = [
      await app.withSession(await app.person(org, { role: 'member' })),
      await app.withSession(await app.person(org, { role: 'owner' })),
    ]
    const { id: projectId } = await owner.projects.create({ name: 'Plan', visibility: 'team' })
    const block = await owner.canvas.create({ projectId, type: 'agent', content: 'Summarize' })
    const blockId = block.id
    await member.canvas.update({ projectId, blockId, metadata: { outputSchema: SCHEMA } })
    const { run } = await owner.agentBlocks.run({ projectId, blockId })
    expect(run).toMatchObject({ trust: 'verified', trustReason: 'block' })
  })
})
