import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScriptedAgent, call as line } from '../../../../../../test/attacks/scripted-agent.ts'
import { startReceiver } from '../../../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../../../testing/test-app.ts'

let app: TestApp
let site: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  site = await startReceiver((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>A "title": with\ncolons</title><p>The number is 42.</p>'),
  )
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await site.close()
})

test('a saved page names its source and date, and other runs read it as untrusted', async () => {
  const agent = await createScriptedAgent(app)
  const url = new URL('/report/2026', site.url).href
  const read = line('web_fetch', { url, save: true })
  const run = await agent.ask([read, read, 'say Done'])
  expect((await run.waitUntilSettled()).status).toBe('succeeded')
  const calls = await run.calls()
  const { savedFileId } = calls[0]!.output as { savedFileId: string }
  // The same page on the same day is one file.
  expect(calls[1]!.output).toMatchObject({ savedFileId })
  const file = await agent.browser.files.get({ id: savedFileId })
  const { host } = new URL(url)
  expect(file.name).toMatch(/^127\.0\.0\.1.*report-2026 \d{4}-\d\d-\d\d\.md$/)
  const { text } = await agent.browser.fileTexts.read({ id: savedFileId })
  expect(text!.split('\n')).toEqual([
    '---',
    String.raw`title: "A \"title\": with colons"`,
    `source: "http://${host}/report/2026"`,
    expect.stringMatching(/^read: ".*Z"$/),
    '---',
    '',
    'The number is 42.',
  ])
  const again = await agent.askAgain(run.sessionId, [
    [read, 'say Saved'].join('\n'),
    line('read_file', { file: savedFileId }),
    'say Done',
  ])
  await again.waitUntilSettled()
  expect((await again.calls()).at(-1)!.output).toMatchObject({ content: expect.stringContaining('<<<DATA-') })
  const reader = await agent.ask([line('read_file', { file: savedFileId }), 'say Done'])
  expect(await reader.waitUntilSettled()).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
})
