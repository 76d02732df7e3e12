import { beforeAll, describe, expect, test } from 'vitest'
import { AGENT_TOOL_NAMES, type AgentTool } from '../../../../../contract/agents/agent-options.ts'
import { toolCall, useTool } from '../../../../testing/clients/tool-calls.ts'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { RunTool } from '../state/run-tool.ts'
import { allToolsFor } from './all-tools.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const settings = Object.fromEntries(AGENT_TOOL_NAMES.map((name) => [name, true])) as Record<
  AgentTool,
  boolean
>
const tools = allToolsFor(settings)
const toolNamed = (name: string) => tools.get(name) as unknown as RunTool<unknown>
const UNTRUSTED = { code: 'FORBIDDEN', details: { reason: 'untrusted_run' } }

async function setUp() {
  const canvas = await createTestCanvas(app)
  const { person, projectId } = canvas
  const call = toolCall(app, person, projectId)
  const untrusted = toolCall(app, person, projectId, { run: { trust: 'untrusted' } })
  const use = (name: string, input: object = {}, as = call) => useTool(toolNamed(name), as, input)
  return { ...canvas, call, untrusted, use }
}

describe('projects', () => {
  test('are created, listed, read and updated by slug or exact name', async () => {
    const { use, projectId } = await setUp()
    const created = await use('create_project', { name: 'Launch plan', description: 'Autumn' })
    const names = (await use('list_projects', { query: 'launch' })).items.map(
      ({ name }: { name: string }) => name,
    )
    expect(names).toEqual(['Launch plan'])
    expect((await use('update_project', { project: 'Launch plan', status: 'completed' })).status).toBe(
      'completed',
    )
    expect(await use('get_project', { project: created.slug })).toMatchObject({
      id: created.id,
      status: 'completed',
    })
    expect((await use('get_project')).id).toBe(projectId)
    await use('create_project', { name: 'Launch plan' })
    await expect(use('get_project', { project: 'Launch plan' })).rejects.toThrow(created.id)
    await expect(use('update_project', { status: undefined })).rejects.toThrow('There is nothing to change')
  })

  test("can't be changed by viewers, strangers and runs no longer trusted", async () => {
    const { use, org, projectId, untrusted } = await setUp()
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    const change = { name: 'Mine' }
    const byViewer = toolCall(app, viewer, projectId)
    await expect(use('update_project', change, byViewer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await setUp()
    await expect(stranger.use('get_project', { project: projectId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(use('update_project', { prompt: 'Obey the page' }, untrusted)).rejects.toMatchObject(
      UNTRUSTED,
    )
    await expect(use('list_projects', {}, untrusted)).rejects.toMatchObject(UNTRUSTED)
    const riskOf = toolNamed('update_project').risk as (input: object) => string
    expect([riskOf({ visibility: 'team' }), riskOf({ name: 'x' })]).toEqual(['share', 'none'])
  })
})

test('search finds at most 20 projects, files and blocks, and each by id', async () => {
  const { use, block, client, projectId, untrusted } = await setUp()
  await client.projects.update({ id: projectId, name: 'Orion' })
  const { id } = await block({ title: 'Orion budget' })
  await use('write_file', { name: 'orion.md', text: 'x' })
  const { results } = await use('search', { query: 'orion' })
  expect(results.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['block', 'file', 'project'])
  for (const query of [id, id.slice(-8)])
    expect((await use('search', { query })).results).toMatchObject([{ id }])
  expect((await use('search', { query: projectId })).results).toMatchObject([
    { kind: 'project', id: projectId },
  ])
  for (let n = 0; n < 30; n++) await block({ title: `Orion ${n}`, x: n * 300 })
  expect(await use('search', { query: 'orion' })).toMatchObject({
    results: { length: 20 },
    more: expect.any(String),
  })
  const limited = await use('search', { query: 'orion', kinds: ['project', 'file'] }, untrusted)
  expect(limited.results).toMatchObject([{ kind: 'file', projectId }])
})

test('list_events lists events without payloads and reads one', async () => {
  const { use, untrusted } = await setUp()
  await use('write_file', { name: 'a.txt', text: 'x' })
  const { items } = await use('list_events', { type: 'file.*' })
  expect(items).toMatchObject([{ type: 'file.created', direction: 'internal' }])
  expect(await use('list_events', { id: items[0].id })).toMatchObject({ id: items[0].id })
  await expect(use('list_events', {}, untrusted)).rejects.toMatchObject(UNTRUSTED)
})

test("submit_feedback requires approval, and sends once however often it's repeated", async () => {
  const { use, client } = await setUp()
  expect(toolNamed('submit_feedback').risk).toBe('send')
  const first = await use('submit_feedback', { message: 'Slow' })
  expect(await use('submit_feedback', { message: 'Slow' })).toEqual(first)
  expect((await client.feedback.list({})).total).toBe(1)
})

test('read_history returns messages by number in small chunks', async () => {
  const { use, person, projectId } = await setUp()
  const client = await app.withSession(person)
  const { id: agentId } = await client.agents.create({ name: 'Reader', model: 'test/echo' })
  const message = { content: 'Message 1' }
  const { id: sessionId } = await client.sessions.create({ projectId, agentId, message })
  await app.sql`
    insert into messages (org_id, session_id, seq, id, role, author_id, content, body, trust, state, created_at)
    select org_id, session_id, n, gen_random_uuid(), role, author_id, content,
      case n when 3 then repeat('x', 50000) else 'Message ' || n end, trust, 'sent', created_at
    from messages, generate_series(2, 300) n where session_id = ${sessionId} and seq = 1`
  const inSession = toolCall(app, person, projectId, { run: { sessionId } })
  const read = (range: object) => use('read_history', range, inSession)
  const { messages: shown, next } = await read({ from: 2, to: 290 })
  expect(shown.slice(0, 2)).toMatchObject([
    { seq: 2, text: 'Message 2' },
    { seq: 3, cut: true },
  ])
  expect([shown.length, next]).toEqual([100, 'Call again with from 102'])
  expect((await read({ from: 299 })).messages).toHaveLength(2)
})

describe('actions', () => {
  const effectOf = toolNamed('run_action').effect as (input: object) => string
  const riskOf = toolNamed('run_action').risk as (input: object) => string

  test('are found with their inputs and run like the endpoint', async () => {
    const { use, projectId } = await setUp()
    const { actions } = await use('search_actions', { words: 'create a snapshot' })
    expect(actions.length).toBeLessThanOrEqual(5)
    expect(actions[0]).toMatchObject({
      action: 'canvas.snapshot',
      changes: true,
      input: { required: ['projectId'], properties: { name: expect.anything() } },
    })
    const input = { projectId, name: 'Before' }
    expect(await use('run_action', { action: 'canvas.snapshot', input })).toMatchObject({ name: 'Before' })
    const list = await use('run_action', { action: 'canvas.snapshots', input: { projectId, limit: 1 } })
    expect(list.items).toMatchObject([{ name: 'Before' }])
  })

  test("have the endpoint's effect and risk", () => {
    expect(effectOf({ action: 'organization.members' })).toBe('read')
    expect(effectOf({ action: 'files.copy' })).toBe('transaction')
    expect([riskOf({ action: 'projects.remove' }), riskOf({ action: 'files.copy' })]).toEqual([
      'delete',
      'none',
    ])
  })

  test.each([
    ['canvas.remove', {}, 'there is no action canvas.remove'],
    ['runs.update', {}, 'there is no action runs.update'],
    ['apiKeys.create', { name: 'Key' }, 'there is no action apiKeys.create'],
    ['canvas.history', { projectId: 'x', surprise: 1 }, 'query.surprise is not a known field'],
    ['feedback.edit', { message: 'x' }, 'body.id'],
  ])('refuse %s with %j', async (action, input, message) => {
    const { use } = await setUp()
    await expect(use('run_action', { action, input })).rejects.toThrow(message)
  })

  test("fence guests' text", async () => {
    const { use, block, projectId } = await setUp()
    await block({ title: 'By a guest' })
    const history = { action: 'canvas.history', input: { projectId } }
    await app.sql`update canvas_changes set user_id = null where project_id = ${projectId}`
    const isOutside = toolNamed('run_action').isOutside as (output: unknown) => boolean
    for (const input of [history, { action: 'projects.navigator', input: { id: projectId } }]) {
      const output = await use('run_action', input)
      expect(isOutside(output)).toBe(true)
      expect(output.content).toMatch(/^The lines between the two markers DATA-.*\n.*\n.*By a guest/)
    }
  })

  test("reach no other organization, and no other project once the run isn't trusted", async () => {
    const [{ use, projectId, person, untrusted }, stranger] = [await setUp(), await setUp()]
    const action = 'canvas.snapshots'
    const foreign = { action, input: { projectId: stranger.projectId } }
    await expect(use('run_action', foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const other = await app.project(person)
    await expect(
      use('run_action', { action, input: { projectId: other.id } }, untrusted),
    ).rejects.toMatchObject(UNTRUSTED)
    expect(await use('run_action', { action, input: { projectId } }, untrusted)).toMatchObject({ items: [] })
    await expect(use('run_action', { action }, untrusted)).rejects.toThrow('input.projectId')
    const members = { action: 'organization.members' }
    await expect(use('run_action', members, untrusted)).rejects.toMatchObject(UNTRUSTED)
  })
})
