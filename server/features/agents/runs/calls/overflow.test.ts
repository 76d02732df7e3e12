import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

test('an output over 64 KB becomes a project file; the model gets its start, its end and the id', async () => {
  const chat = await createChatClient(app)
  const { client, project } = chat
  for (let n = 0; n < 50; n++)
    await client.canvas.create({ projectId: project.id, type: 'text', content: `${n} ${'x'.repeat(3000)}` })
  const action = JSON.stringify({ action: 'projectExport.export', input: { projectId: project.id } })
  const { runId, sessionId } = await chat.start(script(`call run_action ${action}`, '---', 'say {{last}}'))
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  const [step] = await chat.steps(runId)
  const [call] = step!.calls
  expect(call).toMatchObject({ state: 'done', outputFileId: expect.any(String) })
  const output = call!.output as { head: string; tail: string; fileId: string }
  expect(output.fileId).toBe(call!.outputFileId)
  const file = await client.files.get({ id: output.fileId })
  expect(file).toMatchObject({ projectId: project.id })
  const { text } = await client.fileTexts.read({ id: output.fileId, limit: 32_000 })
  expect(text.startsWith(output.head)).toBe(true)
  expect((await chat.messages(sessionId)).at(-1)![1]).toContain(output.fileId)
})
