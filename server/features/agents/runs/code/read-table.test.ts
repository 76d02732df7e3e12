import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'
import { workbook, type XlsxCell } from '../../../projects/tables/transfer/workbook.ts'

const ROWS = 5000

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

async function* cells(): AsyncGenerator<XlsxCell[]> {
  for (let n = 1; n <= ROWS; n++)
    yield [`Customer "${n}"`, { decimal: `${n}.5` }, n % 2 === 0 ? 'Größe' : null]
}

test('files.readTable reads a workbook’s sheet with thousands of rows', async () => {
  const sheet = { name: 'Sales', header: ['Name', 'Amount', 'Note'], rows: cells, now: new Date(0) }
  const content = await buffer(Readable.from(workbook(sheet)))
  const { folderId } = await chat.client.projects.get({ id: chat.project.id })
  const headers = cookie(await app.session(chat.person))
  const { status } = await upload(app, headers, content, {
    name: 'sales.xlsx',
    fields: { parentId: folderId! },
  })
  expect(status).toBe(201)
  const code = `
    const { columns, rows } = await files.readTable('sales.xlsx')
    const total = rows.reduce((sum, { Amount }) => sum + Number(Amount), 0)
    return { columns, count: rows.length, total, last: rows.at(-1) }`
  const { runId } = await chat.start(script(`call run_code ${JSON.stringify({ code })}`, '---', 'say Done'))
  await chat.waitForEnd(runId)
  const [{ calls }] = (await chat.steps(runId)) as [Awaited<ReturnType<ChatClient['steps']>>[number]]
  const { data } = calls[0]!.output as { data: string }
  expect(JSON.parse(/\n(\{.*\})\n/.exec(data)![1]!).result).toEqual({
    columns: ['Name', 'Amount', 'Note'],
    count: ROWS,
    total: (ROWS * (ROWS + 1)) / 2 + ROWS / 2,
    last: { Name: `Customer "${ROWS}"`, Amount: `${ROWS}.5`, Note: 'Größe' },
  })
})
