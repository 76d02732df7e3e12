import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { anthropicStream, type StreamedAnswer } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const CALLS = 50
/** Fifty steps on a busy machine. */
const RUN_MS_MAX = 120_000

let anthropic: Awaited<ReturnType<typeof startReceiver>>
let app: TestApp
let answers: StreamedAnswer[] = []
beforeAll(async () => {
  anthropic = await startReceiver(({ body }, response) => {
    if (!body) return response.end(JSON.stringify({ data: [], has_more: false }))
    const answer = (body.includes('"tools"') && answers.shift()) || { text: 'Done' }
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(anthropicStream(answer))
  })
  app = await buildTestApp({
    env: { ATRIUM_ANTHROPIC_API_KEY: 'sk-secret', ATRIUM_ANTHROPIC_URL: anthropic.url },
  })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await anthropic.close()
})

/** All prompts of a run whose model makes these calls, one per step. */
async function promptBytes(script: StreamedAnswer[], settings: object): Promise<number> {
  const chat = await createChatClient(app, {
    model: 'anthropic/claude-sonnet-4-5',
    maxSteps: 100,
    ...settings,
  })
  answers = [...script]
  const before = anthropic.requests.length
  const { runId } = await chat.start('Rename the notes')
  const status = async () => (await chat.getRun(runId)).status
  await expect.poll(status, { timeout: RUN_MS_MAX }).toBe('succeeded')
  const rows = await app.sql`
    select from run_calls where run_id = ${runId} and tool = 'edit_canvas' and state = 'done'`
  expect(rows).toHaveLength(CALLS)
  return anthropic.requests
    .slice(before)
    .filter(({ body }) => body?.includes('"tools"'))
    .reduce((sum, { body }) => sum + Buffer.byteLength(body!), 0)
}

test('50 calls of a program need at most a tenth of the prompt bytes of 50 single calls', {
  timeout: 2 * RUN_MS_MAX,
}, async () => {
  const inputs = Array.from({ length: CALLS }, (_, n) => ({ create: [{ type: 'note', title: `Note ${n}` }] }))
  const single = await promptBytes(
    inputs.map((input) => ({ tool: 'edit_canvas', input })),
    { tools: { code: false } },
  )
  const code = `for (let n = 0; n < ${CALLS}; n++) await tools.edit_canvas({ create: [{ type: 'note', title: 'Note ' + n }] })`
  const program = await promptBytes([{ tool: 'run_code', input: { code } }], { tools: { code: true } })
  expect(program).toBeLessThanOrEqual(single / 10)
})
