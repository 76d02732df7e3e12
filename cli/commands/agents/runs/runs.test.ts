import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../../testing/cli-user.ts'
import { joinLines } from '../chat/editor.ts'
import { summarizeInput } from './call-text.ts'
import { listRuns } from './commands.ts'
import { costText, durationText } from './labels.ts'
import { createRunView } from './render-run.ts'
import { showRun } from './show.ts'

let app: TestApp
let me: CliUser
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  me = await createCliUser(app, 'runs')
})
afterAll(async () => {
  await me.home.remove()
  await app.close()
})

const FAILING = '```script\nsay Looking\ncall read_canvas {}\n---\nfail 400\n```'

async function createFailedRun() {
  const project = await app.project(me.person)
  const { id: agentId } = await me.client.agents.create({ name: 'Scripted', model: 'test/script' })
  const { id, run } = await me.client.sessions.create({
    projectId: project.id,
    agentId,
    message: { content: FAILING },
  })
  await expect.poll(async () => (await me.client.agentRuns.get({ id: run!.id })).status).toBe('failed')
  return { project, sessionId: id, runId: run!.id }
}

test('atrium runs lists, shows, follows and retries runs, and atrium chat exports their session', async () => {
  const { project, sessionId, runId } = await createFailedRun()
  const listed = await me.run(['ls', '--project', project.slug, '--status', 'failed', '--since', '1h'])
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(`${runId}.+failed +2 `) })

  const shown = await me.run(['show', 'last'])
  expect(shown.stdout).toContain('provider_rejected_request')
  expect(shown.stdout).toMatch(/Step 1 .+\n {2}Looking\n {2}✓ {2}read_canvas/)

  const followed = await me.run(['follow', runId])
  expect([followed.code, followed.stdout]).toEqual([1, 'Looking\n'])
  await app.sql`update runs set events_deleted_at = now() where id = ${runId}`
  const deleted = await me.run(['follow', runId])
  expect(deleted.stderr).toBe('This run’s events have been deleted. Its steps:\n')
  expect(deleted.stdout).toMatch(/Step 1 .+\n {2}Looking/)
  const canceled = await me.run(['cancel', runId])
  expect(canceled).toMatchObject({ code: 0, stderr: 'The run had already ended: failed\n' })
  const retried = await me.run(['retry', runId, '--follow'])
  expect([retried.code, retried.stdout]).toEqual([1, ''])

  const chat = (...args: string[]) => me.home.run(['chat', ...args], { env: me.env, cwd: me.cwd })
  expect(await chat('ls', '--search', 'Looking', '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(sessionId),
  })
  expect((await chat('show', sessionId)).stdout).toMatch(/Agent .+\nLooking\n {2}read_canvas/)
  expect(await chat('export', sessionId, '--output', 'talk.md')).toMatchObject({ code: 0 })
  expect(await readFile(join(me.cwd, 'talk.md'), 'utf8')).toContain('say Looking')
  expect(await chat('export', sessionId, '--output', 'talk.md')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('talk.md already exists'),
  })
})

test('atrium runs show prints child runs at every level', async () => {
  const project = await app.project(me.person)
  const settings = { model: 'test/script', tools: { agents: true } }
  const { id: agentId } = await me.client.agents.create({ name: 'Chief', ...settings })
  const play = (...lines: string[]) => ['~~~script', ...lines, '~~~'].join('\n')
  const delegate = (message: string) => `call run_agent ${JSON.stringify({ agent: 'Chief', message })}`
  const content = play(delegate(play(delegate(play('say leaf')), '---', 'say branch')), '---', 'say root')
  const { run } = await me.client.sessions.create({ projectId: project.id, agentId, message: { content } })
  await expect
    .poll(async () => (await me.client.agentRuns.get({ id: run!.id })).status, { timeout: 20_000 })
    .toBe('succeeded')
  const { children } = await me.runJson(['show', run!.id])
  const [child] = children
  const [leaf] = child.children
  const { stdout } = await me.run(['show', run!.id])
  expect(stdout).toMatch(
    new RegExp(`Started runs\\n  ${child.id}  succeeded  Chief: .+\\n    ${leaf.id}  succeeded  Chief: `),
  )
})

test('atrium guardrails lists guardrails, and tries one on a text', async () => {
  const client = await app.withSession(me.person)
  const run = (...args: string[]) => me.home.run(['guardrails', ...args], { env: me.env, cwd: me.cwd })
  expect(await run('ls')).toMatchObject({ code: 0, stderr: 'No guardrails\n' })
  const config = { phrases: ['secret plan'] }
  await client.guardrails.create({ name: 'Plans', kind: 'topic', on: 'output', action: 'redact', config })
  expect((await run('ls')).stdout).toBe('redact  Plans  (Words and phrases, Replies, 0 agents)\n')
  expect(await run('try', 'Plans', 'The secret plan')).toMatchObject({
    code: 0,
    stdout: 'The [phrase redacted]\n',
    stderr: 'Matched: redact\n',
  })
  expect(await run('try', 'Nothing', 'x')).toMatchObject({ code: 1 })
  const created = { name: 'Plans', kind: 'topic', on: 'input', action: 'block', config } as const
  const { id } = await client.guardrails.create(created)
  await client.agents.create({ name: 'Guarded', guardrails: [id] })
  expect((await run('ls')).stdout).toContain('block   Plans  (Words and phrases, Messages, 1 agent)\n')
  const ambiguous = await run('try', 'Plans', 'x')
  expect(ambiguous).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 guardrails are named Plans'),
  })
  expect(ambiguous.stderr).toContain(id)
})

test('atrium home uses the singular for one notification and one news item', async () => {
  const reader = await createCliUser(app, 'runs')
  const { id: projectId } = await app.project(reader.person)
  const { id: runId } = await reader.client.runs.start({ projectId, title: 'Research' })
  const colleague = await app.withKey(await app.person(reader.org, { name: 'Ben' }))
  await colleague.comments.create({ target: `run:${runId}`, body: `Done, @[${reader.person.id}]` })
  const { stderr } = await reader.home.run(['home'], { env: reader.env, cwd: reader.cwd })
  expect(stderr).toBe(`1 unread notification, 1 news item: ${app.url}/\n`)
  await reader.home.remove()
})

test('atrium schedules creates, lists, pauses, runs and deletes schedules', async () => {
  const project = await app.project(me.person)
  const schedules = (...args: string[]) => me.home.run(['schedules', ...args], { env: me.env, cwd: me.cwd })
  const when = ['--project', project.slug, '--cron', '0 9 * * 1-5', '--zone', 'Europe/Berlin']
  const created = await schedules('create', ...when, '--name', 'Daily', 'What is open?')
  expect(created).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Every weekday at 09:00 \(Europe/),
  })
  const id = created.stdout.trim()
  expect((await schedules('ls', '--project', project.slug)).stdout).toMatch(`${id}  Daily`)
  expect(await schedules('pause', 'Daily')).toMatchObject({ code: 0, stderr: 'Paused Daily\n' })
  const runId = (await schedules('run', id)).stdout.trim()
  expect(await me.client.agentRuns.get({ id: runId })).toMatchObject({ scheduleId: id, trigger: 'schedule' })
  expect(await schedules('rm', id)).toMatchObject({ code: 0, stderr: 'Deleted Daily\n' })
})

test('atrium comments adds, lists and resolves a thread, and atrium notifications marks mentions as read', async () => {
  const project = await app.project(me.person)
  const run = await me.client.runs.start({ projectId: project.id, title: 'Research' })
  const atrium = (...args: string[]) => me.home.run(args, { env: me.env, cwd: me.cwd })
  const target = `run:${run.id}`
  const id = (await atrium('comments', 'add', target, 'Please check')).stdout.trim()
  const { name } = me.person
  const colleague = await app.withKey(await app.person(me.org, { name: 'Ben' }))
  await colleague.comments.create({ target, parentId: id, body: `Done, @[${me.person.id}]` })
  expect((await atrium('comments', 'list', target)).stdout).toMatch(
    new RegExp(`${id}[^]*Please check[^]*Ben[^]*Done, @${name}`),
  )
  expect((await atrium('notifications', '--unread', '--read')).stdout).toMatch(
    /\* Ben mentioned you on “Research”.*Done.*\/runs\//s,
  )
  expect(await atrium('notifications', '--unread')).toMatchObject({ stderr: 'No unread notifications\n' })
  expect(await atrium('comments', 'resolve', id)).toMatchObject({ code: 0, stderr: 'Resolved the thread\n' })
  expect(await atrium('comments', 'list', target)).toMatchObject({ stderr: 'No open threads\n' })
})

test("atrium runs shows a run's changes, plans an undo, and undoes the run", async () => {
  const project = await app.project(me.person)
  const { id: agentId } = await me.client.agents.create({ name: 'Editor', model: 'test/script' })
  const content =
    '```script\ncall edit_canvas {"create":[{"type":"note","title":"Quotes"},{"type":"note","title":"Paper"}]}\n```'
  const { run } = await me.client.sessions.create({ projectId: project.id, agentId, message: { content } })
  const id = run!.id
  await expect.poll(async () => (await me.client.agentRuns.get({ id })).status).toBe('succeeded')
  const titles = async () =>
    (await me.client.canvas.list({ projectId: project.id })).items.map(({ title }) => title)

  expect((await me.run(['changes', id])).stdout).toBe('+ block  Quotes\n+ block  Paper\n')
  expect(await me.run(['undo', id, '--dry-run'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^- block {2}(Quotes|Paper)\n- block {2}(Quotes|Paper)\n$/),
    stderr: 'To undo: 2 removed\n',
  })
  expect(await me.run(['undo', id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const [block] = (await me.client.canvas.list({ projectId: project.id })).items
  await me.client.canvas.update({ projectId: project.id, blockId: block!.id, title: 'Changed' })
  const refused = await me.run(['undo', id, '--yes'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('One item was edited since') })
  expect(await titles()).toHaveLength(2)
  const done = await me.run(['undo', id, '--yes', '--force'])
  expect([done.code, await titles()]).toEqual([0, []])
  const restore = /runs (undo \S+)/.exec(done.stderr)![1]!.split(' ')
  expect(await me.run([...restore, '--yes'])).toMatchObject({ code: 0 })
  expect(await titles()).toHaveLength(2)
})

test('atrium runs rejects invalid arguments with a message', async () => {
  const environment = {
    server: app.url,
    apiKey: me.env.ATRIUM_API_KEY,
    folder: me.home.folder,
    hostname: 'h',
  }
  const list = (options: object) => listRuns({ limit: 1, ...options }, environment)
  const mistakes: [attempt: () => Promise<void>, message: string][] = [
    [() => showRun('nope', {}, environment), 'nope is not a run id'],
    [() => list({ status: 'done' }), 'Invalid status done: use queued, running, waiting'],
    [() => list({ since: 'yesterday' }), 'Invalid --since yesterday: use a time, or 90m, 24h or 7d'],
  ]
  for (const [attempt, message] of mistakes)
    await expect(attempt()).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining(message),
    })
})

test("createRunView writes each step's last attempt to a file", () => {
  const written: string[] = []
  const output = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => written.push(String(text)) > 0)
  const messages = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const view = createRunView({ server: app.url, runId: 'r' })
  const step = { n: 1, attempt: 1 }
  const done = { finish: 'stop', usage: null, cost: null, errorCode: null }
  view.show({ type: 'step.started', data: { ...step, model: 'm' } })
  view.show({ type: 'text', data: { ...step, text: 'cut of' } })
  view.show({ type: 'step.finished', data: { ...step, state: 'interrupted', ...done } })
  view.show({ type: 'step.started', data: { n: 1, attempt: 2, model: 'm' } })
  view.show({ type: 'text', data: { n: 1, attempt: 2, text: 'complete' } })
  view.show({ type: 'step.finished', data: { n: 1, attempt: 2, state: 'done', ...done } })
  output.mockRestore()
  messages.mockRestore()
  expect(written.join('')).toBe('complete\n')
})

test.each([
  [['one'], 'one', true],
  [['one\\'], 'one', false],
  [['one\\', 'two'], 'one\ntwo', true],
  [['```script', 'say a\\'], '```script\nsay a\\', false],
  [['```script', 'say a', '```'], '```script\nsay a\n```', true],
  [['~~~~', '~~~', '```', '~~~~'], '~~~~\n~~~\n```\n~~~~', true],
])('joinLines joins the message lines %j', (lines, text, isComplete) => {
  expect(joinLines(lines)).toEqual({ text, isComplete })
})

test('targetOf, durationText and costText describe calls, durations and costs briefly', () => {
  expect(summarizeInput({ path: '/a\nb.md', tags: [], create: [1, 2], limit: 3, deep: {} })).toBe(
    '/a b.md, create 2, limit 3',
  )
  expect(summarizeInput(null)).toBe('')
  expect(summarizeInput({ text: 'x'.repeat(100) })).toHaveLength(60)
  expect([0.4, 12, 1234, 83_000].map(durationText)).toEqual(['', '12 ms', '1.2 s', '1 min 23 s'])
  expect(['0.000000', '1.234500', '12.500000'].map((amount) => costText({ amount }))).toEqual([
    '$0.00',
    '$1.2345',
    '$12.50',
  ])
})
