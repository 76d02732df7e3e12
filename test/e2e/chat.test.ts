import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('Chat', () => {
  const e2e = startE2e()
  let ada: Person
  let api: Client<Contract>
  let echo: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada' })
    api = await e2e.app.inBrowser(ada)
    await e2e.app.project(ada)
    echo = (await api.agents.create({ name: 'Echo', model: 'test/echo' })).id
  })

  const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

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
})
