import { LLMock } from '@copilotkit/aimock'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Models', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } }),
  })
  let provider: LLMock
  beforeAll(async () => {
    provider = await LLMock.create({ port: 0 })
    provider.onMessage(/Ready/, { content: 'Ready' })
  })
  afterAll(() => provider?.stop())

  const toast = (page: Page, text: string | RegExp) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text)

  test('providers are added several times, tested, edited and deleted', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const api = await e2e.app.withSession(ada)
    const page = await e2e.visit('/agents/new?from=blank', { as: ada, expectedStatuses: [400] })
    await page.getByRole('combobox', { name: 'Model' }).waitFor()
    // The editor and this page read the same list of models.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByText('No model connected yet').waitFor()

    await page.getByRole('link', { name: 'Connect a model' }).click()
    const add = page.getByRole('dialog', { name: 'Connect a model' })
    await add.getByText('Other', { exact: true }).click()
    await add.getByLabel('Name').fill('House models')
    await add.getByText('More settings').click()
    expect(await add.getByLabel('ID', { exact: true }).inputValue()).toBe('house-models')
    await add.getByLabel('Base URL').fill('http://10.0.0.1/v1')
    await add.getByRole('button', { name: 'Connect' }).click()
    await add.getByText('Enter a URL that can be reached from the internet.').waitFor()
    await inspectPage(page, 'models-new')
    await page.setViewportSize({ width: 1440, height: 900 })
    await add.getByLabel('Base URL').fill(`${provider.url}/v1`)
    await add.getByLabel('API key (optional)').fill('sk-house-key-0001')
    await add.getByLabel('Models (optional)').fill('small, large')
    await add.getByRole('button', { name: 'Connect' }).click()
    await toast(page, 'Connected House models').waitFor()
    await page.getByRole('cell', { name: 'large house-models/large', exact: true }).waitFor()

    for (const name of ['Groq', 'Groq 2']) {
      await page.getByRole('link', { name: 'Connect a model' }).click()
      await add.getByText('Groq', { exact: true }).click()
      expect(await add.getByLabel('Name').inputValue()).toBe(name)
      await add.getByLabel('Base URL').fill(`${provider.url}/v1`)
      await add.getByRole('button', { name: 'Connect' }).click()
      await toast(page, `Connected ${name}`).waitFor()
    }
    const { items } = await api.modelProviders.list()
    expect(items.map(({ slug }) => slug)).toEqual(['groq', 'groq-2', 'house-models'])

    const row = page.getByRole('list', { name: 'Model providers' }).getByRole('listitem').last()
    await row.getByRole('button', { name: 'Test' }).click()
    await toast(page, /^House models responds/).waitFor()
    await row.getByRole('link', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit House models' })
    await edit.getByText('which ends with 0001').waitFor()
    await inspectPage(page, 'models-edit')
    await page.setViewportSize({ width: 1440, height: 900 })
    await edit.getByLabel('Name').fill('Our models')
    await edit.getByLabel('Replace API key').fill('sk-house-key-0002')
    await edit.getByLabel('Models (optional)').fill('large')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await toast(page, 'Saved Our models with 1 model').waitFor()
    await page
      .getByRole('cell', { name: 'small house-models/small', exact: true })
      .waitFor({ state: 'detached' })
    await row.getByText('key …0002').waitFor()

    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('Type “house-models” to confirm').fill('house-models')
    await page.getByRole('button', { name: 'Delete provider' }).click()
    await toast(page, 'Deleted Our models').waitFor()
    expect((await api.modelProviders.list()).items).toHaveLength(2)
  })

  test('prices are set for models without one, and a budget offers to count them as free', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const api = await e2e.app.withSession(ada)
    await api.modelProviders.create({
      kind: 'openai-compatible',
      name: 'House',
      url: `${provider.url}/v1`,
      models: ['large', 'small'],
    })
    const page = await e2e.visit('/settings/organization/models', { as: ada, expectedStatuses: [400] })
    await page.getByRole('button', { name: 'Set price for house/large' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pricing for house/large' })
    await dialog.getByLabel('Input', { exact: true }).fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a number, such as 1.25').waitFor()
    await dialog.getByLabel('Input', { exact: true }).fill('1.25')
    await dialog.getByLabel('Output').fill('10')
    await dialog.getByLabel('Context window').fill('64,000')
    await dialog.getByLabel('Images').selectOption('Supported')
    await inspectPage(page, 'models-price')
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'Saved settings for house/large').waitFor()
    const row = page.getByRole('row', { name: /house\/large/ })
    await row.getByRole('cell', { name: '$1.25', exact: true }).waitFor()
    await row.getByText('64,000').waitFor()
    const german = await e2e.visit('/settings/organization/models?q=large', {
      as: ada,
      context: { locale: 'de-CH', viewport: { width: 390, height: 844 } },
    })
    const germanRow = german.getByRole('row', { name: /house\/large/ })
    await germanRow.getByText('Eingabe 1,25 $, Ausgabe 10 $ je 1 Mio. Tokens').waitFor()
    expect((await germanRow.getByRole('cell').first().boundingBox())!.width).toBeGreaterThan(250)
    expect((await germanRow.boundingBox())!.width).toBeLessThanOrEqual(390)
    await page.getByRole('combobox', { name: 'Default model' }).selectOption('house/small')
    await toast(page, 'Default model saved').waitFor()
    expect((await api.orgSettings.get()).defaultModel).toBe('house/small')
    const vision = page.getByRole('combobox', { name: 'Vision model' })
    expect(await vision.getByRole('option').count()).toBe(2)
    await vision.selectOption('house/large')
    await toast(page, 'Vision model saved').waitFor()
    expect((await api.orgSettings.get()).visionModel).toBe('house/large')
    await inspectPage(page, 'models-vision')
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByLabel('Embedding model').fill('house/embedder')
    await page.getByLabel('Model that transcribes').fill('whisper')
    const saveVoice = page.getByRole('region', { name: 'Voice' }).getByRole('button', { name: 'Save' })
    await saveVoice.click()
    await page.getByText('Enter the provider’s ID, a slash and the model’s name.').waitFor()
    await page.getByLabel('Model that transcribes').fill('house/whisper')
    await saveVoice.click()
    await toast(page, 'Voice settings saved').waitFor()
    expect(await page.getByLabel('Embedding model').inputValue()).toBe('house/embedder')
    await page.getByLabel('Filter models').fill('large')
    await page.getByLabel('Embedding model').waitFor({ state: 'hidden' })
    await page.getByLabel('Filter models').fill('')
    expect(await page.getByLabel('Embedding model').inputValue()).toBe('house/embedder')

    await page.goto('/settings/organization/usage?budget=new')
    const budget = page.getByRole('dialog', { name: 'New budget' })
    await budget.getByText('house/small').waitFor()
    await inspectPage(page, 'usage-budget-unpriced')
    await page.setViewportSize({ width: 1440, height: 900 })
    await budget.getByRole('button', { name: 'Count as free' }).click()
    await toast(page, 'These models now count as free').waitFor()
    await budget.getByText('house/small').waitFor({ state: 'detached' })

    await page.goto('/agents/new?from=blank')
    const picker = page.getByRole('combobox', { name: 'Model' })
    await expect.poll(() => picker.textContent()).toContain('smallOrganization default')
    await picker.click()
    await page.getByRole('option', { name: /large.*64K.*\$1.25 \/ \$10/ }).waitFor()
    await page.keyboard.type('lar')
    await page.keyboard.press('Enter')
    await picker.getByText(/large$/).waitFor()
    await picker.click()
    await inspectPage(page, 'agents-model-picker')
  })
})
