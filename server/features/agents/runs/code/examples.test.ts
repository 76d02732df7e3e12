import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../../../docs/agents/code.md'), 'utf8')
const examples = [...DOCUMENT.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!)

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app)
  const { folderId } = await chat.client.projects.get({ id: chat.project.id })
  const text = 'region,amount\nNorth,20\nSouth,"35"\nNorth,5\n'
  await chat.client.fileTexts.write({ name: 'sales.csv', text, parentId: folderId! })
})
afterAll(() => app.close())

/** Runs an example of the document, and answers its question. */
async function run(example: number): Promise<unknown> {
  const call = `call run_code ${JSON.stringify({ code: examples[example] })}`
  const { runId } = await chat.start(script(call, '---', 'say Done'))
  const { status } = await chat.until(runId, 'waiting', 'succeeded', 'failed')
  if (status === 'waiting') {
    const [question] = (await chat.client.approvals.list({ runId })).items
    await chat.client.approvals.decide({ id: question!.id, decision: 'approve', answer: 'Aurora' })
    await chat.waitForEnd(runId)
  }
  const [{ calls }] = (await chat.steps(runId)) as [Awaited<ReturnType<ChatClient['steps']>>[number]]
  expect(calls).toMatchObject([{ state: 'done' }])
  const output = calls[0]!.output as { result?: unknown; data?: string }
  return output.data ? JSON.parse(/\n(\{.*\})\n/.exec(output.data)![1]!).result : output.result
}

test('reads a table and draws it on the canvas', async () => {
  expect(await run(0)).toEqual([
    { region: 'South', total: 35 },
    { region: 'North', total: 25 },
  ])
  const blocks = await app.sql`
    select b.title, f.name from blocks b join files f on f.org_id = b.org_id and f.id = b.file_id
    where b.project_id = ${chat.project.id}`
  expect(blocks).toEqual([{ title: 'Sales by region', name: 'sales-by-region.svg' }])
})

test('makes calls at the same time', async () => {
  expect(await run(1)).toBe(3)
})

test('waits for an answer', async () => {
  expect(await run(2)).toBe('name.txt')
})

test('the document has no other example', () => {
  expect(examples).toHaveLength(3)
})
