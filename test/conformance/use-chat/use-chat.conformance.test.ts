import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import { script } from '../../../server/testing/clients/agent-runs.ts'
import { buildTestApp } from '../../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from '../../e2e/browser.ts'

const ENTRY = join(import.meta.dirname, 'use-chat-page.ts')

/** Bundles the page with React and the AI SDK, as a customer would bundle a program. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, minify: false, target: 'esnext', lib: { entry: ENTRY, formats: ['es'] } },
  })
  const [first] = built as Rolldown.RolldownOutput[]
  return first!.output[0].code
}

async function serve(page: Page): Promise<void> {
  const code = await bundle()
  const html = '<!doctype html><title>Program</title><body><script type="module" src="/program.js"></script>'
  await page.route('**/program.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
  await page.route('**/program?*', (route) => route.fulfill({ contentType: 'text/html', body: html }))
}

describe.skipIf(!CHROMIUM)('useChat in a page', () => {
  const e2e = startE2e({ build: buildTestApp })

  test('sends a message, shows text and tool calls, resumes after a reload, and continues after an approval', async () => {
    await e2e.app.app.startWorker()
    const person = await e2e.app.person(await e2e.app.organization())
    const api = await e2e.app.withSession(person)
    const { id: projectId } = await e2e.app.project(person)
    const agent = await api.agents.create({
      name: 'Scripted',
      model: 'test/script',
      approvals: { create_project: 'ask' },
    })
    const { id } = await api.sessions.create({ projectId, agentId: agent.id })
    const page = await e2e.visit('/', { as: person })
    await serve(page)
    await page.goto(`/program?session=${id}`)
    const calls = ['call read_canvas {}', 'call create_project {"name":"Made"}']
    await page.getByRole('textbox').fill(script('say Let me look.', ...calls, '---', 'say Created.'))
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('article', { name: 'assistant' })
    const waitForParts = async () => {
      await answer.getByText('Let me look.', { exact: true }).waitFor()
      await answer.getByText('read_canvas: output-available').waitFor()
      await answer.getByText('create_project: approval-requested').waitFor()
    }
    await waitForParts()
    await page.reload()
    await waitForParts()
    await page.getByRole('button', { name: 'Approve' }).click()
    await answer.getByText('create_project: output-available').waitFor()
    await answer.getByText('Created.', { exact: true }).waitFor()
    await page.locator('output', { hasText: 'ready' }).waitFor()
    expect(await answer.locator('p').allTextContents()).toEqual(['Let me look.', 'Created.'])
    const { items } = await api.projects.list({})
    expect(items.map(({ name }) => name)).toContain('Made')
  })
})
