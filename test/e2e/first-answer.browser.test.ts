import { LLMock } from '@copilotkit/aimock'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetupToken } from '../../server/features/accounts/accounts/accounts.ts'
import { PASSWORD } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const CLICKS_MAX = 12
const ANSWER = 'Act on skipping first: eight of twelve customers asked for it.'

describe.skipIf(!CHROMIUM)('the first five minutes', () => {
  const e2e = startE2e({
    build: async () => {
      const app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
      await app.app.startWorker()
      return app
    },
  })
  let provider: LLMock
  beforeAll(async () => {
    provider = await LLMock.create({ port: 0 })
    provider.onMessage(/Ready/, { content: 'Ready' })
    provider.onMessage(/next step/, { content: ANSWER })
  })
  afterAll(() => provider?.stop())

  test('lead from the setup link to a real answer in a dozen clicks', async () => {
    let clicks = 0
    const click = async (target: Locator) => {
      clicks++
      await target.click()
    }
    const token = await createSetupToken(e2e.app.app.system())
    const startedAt = performance.now()
    const page = await e2e.visit(`/setup#${token}`)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Organization').fill('Analytical Engines')
    await click(page.getByRole('button', { name: 'Create owner account' }))

    const steps = page.getByRole('region', { name: 'First steps' })
    await click(steps.getByRole('link', { name: 'Connect a model' }))
    const dialog = page.getByRole('dialog', { name: 'Connect a model' })
    await click(dialog.getByText('Other', { exact: true }))
    await dialog.getByLabel('Name').fill('House models')
    await dialog.getByLabel('Base URL').fill(`${provider.url}/v1`)
    await dialog.getByLabel('API key (optional)').fill('sk-house-key-0001')
    await click(dialog.getByRole('button', { name: 'Connect', exact: true }))

    await steps.getByText('1 of 5').waitFor()
    await click(steps.getByRole('button', { name: 'Ask the Assistant' }))
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Ask an agent' }).inputValue())
      .toContain('next step')
    await click(page.getByRole('button', { name: 'Send' }))
    await page.getByText(ANSWER).first().waitFor()
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`From the setup link to the first answer: ${seconds} s, ${clicks} clicks\n`)
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX)

    await page.goto('/')
    await page.getByRole('region', { name: 'First steps' }).getByText('2 of 5').waitFor()
    await page.goto('/settings/organization/models/new')
    await dialog.getByText('Anthropic').click()
    await dialog.getByLabel('API key').fill('sk-not-a-key')
    await inspectPage(page, 'models-connect')
  })

  test('leave the sample behind: a new chat starts with an agent that can answer', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
    const api = await e2e.app.withSession(ada)
    const { sessionId } = await api.projects.sample()
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    await page.getByRole('link', { name: 'Agent: Researcher' }).waitFor()
    await page.getByRole('link', { name: 'New chat' }).click()
    await page.getByRole('heading', { name: 'What can Assistant do for you?' }).waitFor()
    await page.getByRole('button', { name: 'Project: Sample: Coffee subscription' }).waitFor()

    const faces = page.getByRole('navigation', { name: 'Conversations' }).locator('svg text')
    await expect.poll(() => faces.allTextContents()).toEqual(['🔎'])
    await page.goto('/runs')
    await expect.poll(() => page.getByRole('main').locator('li svg text').allTextContents()).toEqual(['🔎'])
  })

  test('show a recorded run at work on Home, which approves its file with one click', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
    const api = await e2e.app.withSession(ada)
    const { project, agentBlockId } = await api.projects.sample()
    await api.agentBlocks.run({ projectId: project.id, blockId: agentBlockId! })
    const page = await e2e.visit('/', { as: ada })
    await page.getByRole('region', { name: 'Working now' }).getByText('Researcher').first().waitFor()
    const waiting = page.getByRole('region', { name: 'Waiting for you' })
    await waiting.getByText('asks for your approval').waitFor()
    await inspectPage(page, 'home-approval')
    await page.setViewportSize({ width: 1440, height: 900 })
    await waiting.getByRole('button', { name: 'Approve: Write the file summary.md' }).click()
    await waiting.getByText('Nothing waits for you.').waitFor()
    const names = async () => (await api.files.list({ projectId: project.id })).items.map(({ name }) => name)
    await expect.poll(names, { timeout: 20_000 }).toContain('summary.md')
  })
})
