import { afterAll, beforeAll, expect, test } from 'vitest'
import { WEB_DEFAULT } from '../../../../../contract/agents/agent-fields.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { Answer } from '../state/answer.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import { webFetch } from '../tools/web/web-fetch.ts'
import { findNamedHosts } from './named-hosts.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

const TOOLS = new Map([['web_fetch', webFetch as unknown as RunTool]])

async function runAfter(message: string, change: Partial<EngineRun> = {}) {
  const { runId } = await chat.start(message)
  const { id, projectId } = await chat.getRun(runId)
  return { orgId: chat.org.id, id, projectId, trust: 'trusted', ...change } as EngineRun
}

async function namedOf(run: EngineRun, prompt: string, ...urls: string[]) {
  const calls = urls.map((url) => ({ tool: 'web_fetch', input: { url } }))
  return [
    ...(await findNamedHosts(app.sql, run, { prompt, web: WEB_DEFAULT }, TOOLS, {
      calls,
    } as unknown as Answer)),
  ]
}

test.each([
  ['Read https://Example.com/pricing, please', 'https://example.com/other', true],
  ['Compare example.com and others.', 'https://www.example.com/', true],
  ['See example.com.', 'https://example.com/', true],
  ['Read https://example.com/', 'https://mallory.example/?q=secret', false],
  ['Read https://example.com/', 'https://example.com.mallory.example/', false],
  ['Read https://example.com/', 'https://data.example.com/', false],
  ['Read https://not-example.com/', 'https://example.com/', false],
  ['Summarize the project', 'https://example.com/', false],
])('%s names the host in %s: %s', async (message, url, isNamed) => {
  const hosts = await namedOf(await runAfter(message), '', url)
  expect(hosts).toEqual(isNamed ? [new URL(url).hostname] : [])
})

test("the agent's and project's prompts name hosts", async () => {
  const run = await runAfter('Summarize the news')
  expect(await namedOf(run, 'Sources: news.example', 'https://news.example/today')).toEqual(['news.example'])
  await chat.client.projects.update({ id: chat.project.id, prompt: 'Our site is site.example' })
  expect(await namedOf(run, '', 'https://site.example/', 'https://other.example/')).toEqual(['site.example'])
})

test("an untrusted sender's message names no host, and an untrusted run has none", async () => {
  const run = await runAfter('Read https://sender.example/')
  expect(await namedOf({ ...run, trust: 'untrusted' }, '', 'https://sender.example/')).toEqual([])
  await app.sql`
    update messages set trust = 'verified' where org_id = ${run.orgId} and run_id = ${run.id} and role = 'user'`
  expect(await namedOf(run, '', 'https://sender.example/')).toEqual([])
})
