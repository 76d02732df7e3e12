import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { type CliUser, createCliUser } from '../../testing/cli-user.ts'

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

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')

async function createProject() {
  const { id: projectId } = await app.project(me.person)
  const { id: agentId } = await me.client.agents.create({ name: 'Worker', model: 'test/script' })
  return { projectId, agentId }
}

const waitsFor = (id: string, reason: string) =>
  expect.poll(async () => (await me.client.agentRuns.get({ id })).wait?.for, { timeout: 20_000 }).toBe(reason)

const isEnded = (id: string) =>
  expect
    .poll(async () => (await me.client.agentRuns.get({ id })).finishedAt, { timeout: 20_000 })
    .not.toBeNull()

test('atrium runs lists items with their results, and continues after a preview', async () => {
  const { projectId, agentId } = await createProject()
  const { run } = await me.client.forEach.start({
    projectId,
    agentId,
    title: 'Check',
    instructions: script('say Fine'),
    over: { from: 'values', values: ['Prusa', { name: 'Bambu \u001b[31mLab' }, 'Creality'] },
    preview: 1,
  })
  await waitsFor(run.id, 'preview')
  expect((await me.run(['show', run.id])).stdout).toContain('waiting for `runs continue`')
  const preview = await me.run(['items', run.id])
  expect(preview.stdout).toMatch(/^# +ITEM +STATE +RESULT\n1 +Prusa +done +Fine\n2 +Bambu .*Lab +queued/)
  expect(preview.stdout).not.toContain('\u001b[31m')
  expect(preview.stderr).toMatch(/^Check: 1 of 3 done, 0 failed, \$0\.0+, about \$0\.0+ for the rest\n/)
  expect(await me.run(['continue', 'last'])).toMatchObject({
    code: 0,
    stderr: 'The remaining items run now\n',
  })
  await isEnded(run.id)
  expect(await me.runJson(['items', run.id, '--state', 'done', '--limit', '2'])).toMatchObject({
    code: 0,
    lists: [{ total: 3, done: 3, isPreview: false }],
    items: [{ n: 1, output: 'Fine' }, { n: 2 }],
  })
  expect((await me.run(['items', run.id, '--limit', '2'])).stderr).toMatch(/\nThere are more\./)
  expect(await me.run(['continue', run.id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no preview to continue'),
  })
  expect(await me.run(['items', run.id, '--state', 'open'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('queued, running, done, failed'),
  })
  const { run: chat } = await me.client.sessions.create({
    projectId,
    agentId,
    message: { content: script('say x') },
  })
  expect((await me.run(['items', chat!.id])).stderr).toBe('The run repeats over no list\n')
})

test('atrium forms lists, shows and answers a form', async () => {
  const { projectId, agentId } = await createProject()
  const forms = (...args: string[]) => me.home.run(['forms', ...args], { env: me.env, cwd: me.cwd })
  expect(await forms('ls')).toMatchObject({ code: 0, stderr: 'No open forms\n' })
  const fields = [
    { key: 'amount', label: 'Amount', type: 'number' as const },
    { key: 'urgent', label: 'Is it urgent?', type: 'boolean' as const },
    { key: 'kind', label: 'Kind', type: 'choice' as const, options: ['new', 'old'] },
    { key: 'note', label: 'Note', type: 'long_text' as const, required: false },
  ]
  const { id: blockId } = await me.client.canvas.create({
    projectId,
    type: 'agent',
    title: 'Approve the budget',
    content: 'How much?',
    metadata: { agentId, step: { type: 'form', fields } },
  })
  const { run } = await me.client.agentBlocks.run({ projectId, blockId })
  await waitsFor(run.id, 'form')
  const [form] = (await me.client.forms.list({})).items
  const listed = await forms('ls')
  expect(listed.stdout).toMatch(new RegExp(`^Approve the budget\\n  ${form!.id}  .+, expires `))
  const shown = await forms('show', form!.id)
  expect(shown.stdout).toContain('How much?\n  amount=<number>  Amount\n  urgent=<boolean>  Is it urgent?\n')
  expect(shown.stdout).toContain('  kind=<new | old>  Kind\n  note=<long text>  Note (optional)\n')
  expect(shown.stderr).toContain(`npx atrium forms answer ${form!.id}`)
  expect(await forms('answer', form!.id, 'price=1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use key=value with amount, urgent, kind, note.'),
  })
  expect(await forms('answer', form!.id, 'amount=many', 'urgent=true', 'kind=new')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('amount must be a number'),
  })
  const answer = ['amount=12.5', 'urgent=false', 'kind=new', 'note=a=b c']
  expect(await forms('answer', form!.id, ...answer)).toMatchObject({
    code: 0,
    stderr: 'Answered: the workflow continues\n',
  })
  await isEnded(run.id)
  const answered = await forms('show', form!.id)
  expect(answered.stdout).toContain('  Amount: 12.5\n  Is it urgent?: false\n  Kind: new\n  Note: a=b c\n')
  expect(answered.stderr).toMatch(/^Answered .+ by /)
  expect(await forms('answer', form!.id, ...answer)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no longer open'),
  })
  expect(JSON.parse((await forms('show', form!.id, '--json')).stdout)).toMatchObject({
    answer: { amount: 12.5, urgent: false, kind: 'new', note: 'a=b c' },
  })
  expect(await forms('show', 'first')).toMatchObject({ code: 2 })
})
