import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Schedules', () => {
  const e2e = startE2e()
  let ada: Person
  let api: Client<Contract>
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
    api = await e2e.app.withSession(ada)
    await api.projects.create({ name: 'Launch plan' })
  })

  test('are created from a preset or an expression, turned off, run, changed and deleted', async () => {
    const page = await e2e.visit('/schedules', { as: ada, expectedStatuses: [400] })
    await page.getByRole('button', { name: 'New schedule' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New schedule' })
    await dialog.getByLabel('Message').fill('What is open today?')
    await dialog.getByText(/^Every weekday at 9:00\sAM, next:/).waitFor()
    await dialog.getByLabel('When').selectOption('Other times…')
    await dialog.getByLabel('Cron expression').fill('* * * * *')
    await dialog.getByText('must have at least 5 minutes between two times').waitFor()
    await dialog.getByLabel('Cron expression').fill('30 8 * * MON,THU')
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await dialog.getByText(/^Every Monday and Thursday at 8:30\sAM, next:/).waitFor()
    await inspectPage(page, 'schedules-new')
    await dialog.getByRole('button', { name: 'Create schedule' }).click()
    const row = page.getByRole('row', { name: /What is open today/ })
    await row.getByText(/^Every Monday and Thursday at 8:30\sAM/).waitFor()
    await inspectPage(page, 'schedules')
    await page.setViewportSize({ width: 1440, height: 900 })

    await row.getByRole('switch', { name: 'Run What is open today?' }).click()
    await row.getByText('Off').waitFor()
    await page.getByText('Turned off What is open today?').waitFor()
    await row.getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Run now' }).click()
    await row.getByText('Queued').waitFor()
    await row.getByRole('button', { name: 'What is open today?', exact: true }).click()
    await page.getByRole('dialog', { name: 'Edit schedule' }).getByLabel('Name').fill('Twice a week')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const renamed = page.getByRole('row', { name: /Twice a week/ })
    await renamed.waitFor()
    const { items } = await api.schedules.list({})
    expect(items).toMatchObject([{ name: 'Twice a week', enabled: false, timeZone: 'Europe/Berlin' }])
    await renamed.getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete schedule' }).click()
    await page.getByText('No schedules yet').waitFor()
  })
})
