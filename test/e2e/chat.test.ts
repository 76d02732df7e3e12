import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const scripted = (...lines: string[]) => `Play\n\n\`\`\`script\n${lines.join('\n')}\n\`\`\``

describe.skipIf(!CHROMIUM)('Chat', () => {
  const e2e = startE2e()
  let ada: Person
  let api: Client<Contract>
  let projectId: string
  let player: string
  let echo: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada' })
    api = await e2e.app.inBrowser(ada)
    projectId = (await e2e.app.project(ada)).id
    echo = (await api.agents.create({ name: 'Echo', model: 'test/echo' })).id
    player = (await api.agents.create({ name: 'Player', model: 'test/script' })).id
  })

  const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const start = async (content: string, agentId = player) =>
    (await api.sessions.create({ projectId, agentId, message: { content } })).id

  test('starts a conversation from the first screen, answers with Markdown, and loads no image', async () => {
    const page = await e2e.visit('/chat', { as: ada })
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ value: echo })
    const told = '![pixel](https://evil.example/p.png) and [docs](https://evil.example/docs)'
    await composer(page).fill(told)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const answer = log(page).getByRole('article', { name: 'Agent' })
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await answer.getByText('(evil.example)').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.reload()
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await log(page).getByText(told).waitFor()
    await page.getByText('is a test model').waitFor()
  })

  test('shows tool calls, queues a message while the agent works, stops, and keeps everything over a reload', async () => {
    const id = await start(
      scripted('say Searching.', 'call list_files {}', '---', 'say First words', 'wait 60000', 'say never'),
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const call = log(page).locator('details', { hasText: 'List files' })
    await call.getByText(/\d+ m?s$/).waitFor()
    await call.locator('summary').click()
    await call.getByText('list_files').waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await composer(page).fill('And one more thing')
    await page.keyboard.press('Enter')
    await log(page).getByText('Queued: joins at the next step').waitFor()
    await page.reload()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('Queued: joins at the next step').waitFor()
    await composer(page).press('Escape')
    await log(page).getByText('Stopped.').waitFor()
    await page.reload()
    await log(page).getByText('Stopped.').waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('And one more thing').waitFor()
    expect(await log(page).getByText('never', { exact: true }).count()).toBe(0)
  })
})
