import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('A form', () => {
  const e2e = startE2e({ expectsDisconnects: true })
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
  })

  test("shows the server's error under its field until the field changes", async () => {
    const page = await e2e.visit('/webhooks/new', { as: ada, steppedUp: true, expectedStatuses: [400, 422] })
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('Name').fill('Orders')
    const url = dialog.getByLabel('Endpoint URL')
    await url.fill('http://127.0.0.1:9/x')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const error = dialog.getByText('Enter a URL that can be reached from the internet.')
    await error.waitFor()
    expect(await url.getAttribute('aria-invalid')).toBe('true')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await url.fill('https://example.com/x')
    await error.waitFor({ state: 'detached' })
  })

  test('asks before Escape or Cancel discards edits', async () => {
    const page = await e2e.visit('/projects/new', { as: ada })
    const dialog = page.getByRole('dialog', { name: 'New project' })
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await dialog.getByLabel('Name').fill('Launch')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Launch')
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await dialog.getByText('Enter a name, or a description to generate one from.').waitFor()
    await dialog.getByLabel('Description').fill('A plan')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('asks before a reload discards a dialog’s edits', async () => {
    const page = await e2e.visit('/webhooks/new', { as: ada, steppedUp: true })
    const name = page.getByRole('dialog', { name: 'New webhook' }).getByLabel('Name')
    const questions: string[] = []
    page.on('dialog', (question) => {
      questions.push(question.type())
      void question.accept()
    })
    await name.waitFor()
    await page.reload()
    expect(questions).toEqual([])
    await name.fill('Orders')
    await page.reload()
    expect(questions).toEqual(['beforeunload'])
  })

  test('says beside Save that nothing was saved while offline', async () => {
    const page = await e2e.visit('/settings/account', { as: ada, expectedStatuses: [0] })
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByText('Not saved. Try again when you’re back online.').waitFor()
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe(null)
    await page.context().setOffline(false)
  })

  test('takes amounts with a decimal comma in German', async () => {
    const page = await e2e.visit('/settings/organization/usage?budget=new', {
      as: ada,
      context: { locale: 'de-DE' },
      steppedUp: true,
      expectedStatuses: [400, 422],
    })
    const dialog = page.getByRole('dialog', { name: 'Neues Budget' })
    const amount = dialog.getByLabel('Betrag')
    await amount.fill('viel')
    await dialog.getByRole('button', { name: 'Budget festlegen' }).click()
    await dialog.getByText('Geben Sie einen Betrag ein, etwa 2,50.').waitFor()
    await amount.fill('2,50')
    await dialog.getByRole('button', { name: 'Budget festlegen' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2,50').first().waitFor()
  })
})
