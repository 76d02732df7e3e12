import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const KEY = 'atrium_live_0123456789abcdef0123456789abcdef'

async function startRun(script: string) {
  const org = await app.organization()
  const person = await app.person(org, { name: 'Ada', role: 'owner' })
  const client = await app.withSession(person)
  const project = await app.project(person)
  const agent = await client.agents.create({
    name: 'Player',
    model: 'test/script',
    prompt: 'Play the script.',
  })
  const content = `Use ${KEY}\n\`\`\`script\n${script}\n\`\`\``
  const { run } = await client.sessions.create({
    projectId: project.id,
    agentId: agent.id,
    message: { content },
  })
  const status = async () => (await client.agentRuns.get({ id: run!.id })).status
  return { client, org, project, runId: run!.id, status }
}

test("a waiting run is listed with its names, and its steps' prompts show the messages the model received", async () => {
  const { client, project, runId, status } = await startRun(
    'call ask_person {"question":"Which color?"}\n---\nsay Thanks',
  )
  await expect.poll(status).toBe('waiting')
  const { items } = await client.agentRuns.list({ status: 'waiting' })
  expect(items).toMatchObject([
    {
      id: runId,
      title: expect.stringContaining('Use'),
      agentName: 'Player',
      projectName: project.name,
      createdByName: 'Ada',
      canEdit: true,
      wait: { for: 'input' },
    },
  ])
  const { items: open, openCount } = await client.approvals.list({})
  expect([openCount, open]).toMatchObject([
    1,
    [{ kind: 'input', agentName: 'Player', projectName: project.name, decidedByName: null }],
  ])
  const decided = await client.approvals.decide({ id: open[0]!.id, decision: 'approve', answer: 'Red' })
  expect(decided).toMatchObject({ decision: 'answered', decidedByName: 'Ada' })
  await expect.poll(status).toBe('succeeded')

  const first = await client.agentRuns.prompt({ id: runId, n: 1 })
  expect(first).toMatchObject({ n: 1, attempt: 1, model: 'test/script', hasSystemChanged: false })
  expect(first.system).toMatch(/You are Player\.\n\nPlay the script\./)
  expect(first.messages.map(({ role }) => role)).toEqual(['user'])
  expect(first.tools.map(({ name }) => name)).toContain('ask_person')
  const second = await client.agentRuns.prompt({ id: runId, n: 2 })
  expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(JSON.stringify(second.messages[2])).toContain('Red')
  expect(JSON.stringify([first, second])).not.toContain(KEY)
  expect(JSON.stringify(first.messages)).toContain('Use [redacted]')
})

test("a step's prompt reports whether the project's instructions have changed since", async () => {
  const { client, project, runId, status } = await startRun('say Hello')
  await expect.poll(status).toBe('succeeded')
  await client.projects.update({ id: project.id, name: 'Another name' })
  const prompt = await client.agentRuns.prompt({ id: runId, n: 1, attempt: 1 })
  expect(prompt.hasSystemChanged).toBe(true)
  await expect(client.agentRuns.prompt({ id: runId, n: 1, attempt: 2 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  const { client: stranger } = await app.newUser()
  await expect(stranger.agentRuns.prompt({ id: runId, n: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
