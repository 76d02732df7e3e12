import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'
import { uploader } from './stored-files.ts'

const LINK_PASSWORD = 'open sesame, please'

describe.skipIf(!CHROMIUM)('versions and public links', () => {
  const e2e = startE2e({ showsFileList: true })
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
  })

  const send = (page: Page, content: string) =>
    page.getByLabel('Files to upload').setInputFiles({
      name: 'plan.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    })

  test('a file is uploaded twice, compared, restored, and shared with a password until the link is revoked', async () => {
    const page = await e2e.visit('/files', { as: ada })
    await page.getByText('No files yet').waitFor()
    await send(page, 'Monday\nTuesday\n')
    await page.getByText('Uploaded plan.txt').waitFor()
    // The file input of the list has replaced the input of the empty folder.
    await page.getByRole('link', { name: 'plan.txt' }).waitFor()
    await send(page, 'Monday\nFriday\n')
    const question = page.getByRole('dialog', { name: 'plan.txt already exists' })
    await question.getByRole('button', { name: 'New version' }).click()
    await page.getByText('Uploaded a new version of plan.txt').waitFor()
    await page.getByRole('button', { name: 'Close uploads' }).click()
    await page.getByRole('link', { name: 'plan.txt' }).click()
    const panel = page.getByRole('complementary', { name: 'plan.txt' })
    await panel.getByText('Friday').waitFor()
    await panel.getByText('Version 2').waitFor()

    await panel.getByRole('button', { name: 'Compare version 1' }).click()
    const comparison = page.getByRole('dialog', { name: 'plan.txt: versions 1 and 2' })
    await comparison.getByText('Tuesday').waitFor()
    await comparison.getByText('Friday').waitFor()
    await comparison.getByRole('button', { name: 'Close' }).click()

    await panel.getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await panel.getByText('Version 3').waitFor()
    await panel.getByRole('region', { name: 'Preview' }).getByText('Tuesday').waitFor()

    await panel.getByRole('button', { name: 'Create public link' }).click()
    const create = page.getByRole('dialog', { name: 'Public link for plan.txt' })
    await create.getByLabel('Password').fill(LINK_PASSWORD)
    await create.getByRole('button', { name: 'Create link' }).click()
    const secret = page.getByRole('dialog', { name: 'Public link' })
    const firstUrl = (await secret.getByLabel('New public link').textContent())!
    await secret.getByRole('button', { name: 'Done' }).click()
    await panel.getByRole('button', { name: 'New URL' }).click()
    const url = (await secret.getByLabel('New public link').textContent())!
    await secret.getByRole('button', { name: 'Done' }).click()
    const late = await e2e.visit(firstUrl)
    await late.getByRole('heading', { name: 'This link no longer works' }).waitFor()

    const visitor = await e2e.visit(url)
    await visitor.getByLabel('Password').fill('not the password')
    await visitor.getByRole('button', { name: 'Open' }).click()
    await visitor.getByText('Wrong password').waitFor()
    await visitor.getByLabel('Password').fill(LINK_PASSWORD)
    await visitor.keyboard.press('Enter')
    await visitor.getByRole('heading', { name: 'plan.txt' }).waitFor()
    await visitor.getByText('Tuesday').waitFor()
    const download = visitor.waitForEvent('download')
    await visitor.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('plan.txt')
    expect(await visitor.context().cookies()).toEqual([])
    expect(visitor.url()).not.toContain(new URL(url).pathname)

    // The response to a program that fetches the URL for a link preview.
    const response = await fetch(url)
    const html = await response.text()
    expect([html.includes('Shared file'), html.includes('plan.txt')]).toEqual([true, false])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(response.headers.get('set-cookie')).toBeNull()

    await page.goto('/settings/organization/files')
    const links = page.getByRole('table', { name: 'Public links' })
    await links.getByText('plan.txt').waitFor()
    await inspectPage(page, 'files-settings')
    await page.setViewportSize(WIDE)
    await links.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No public links yet').waitFor()
    await visitor.goto(url)
    await visitor.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await inspectPage(visitor, 'public-file-gone')
  })

  test("a public folder's visitor opens its documents and tables", async () => {
    const api = await e2e.app.withSession(ada)
    const put = uploader(e2e.app, ada)
    await api.files.create({ source: 'folder', name: 'Finance' })
    const { id } = (await api.files.list({})).items.find(({ name }) => name === 'Finance')!
    await put('receipts.csv', 'Customer,Amount\nAnalytical Engines,12\n', id)
    await put('notes.md', '# Third quarter\n\nPaid in full.\n', id)
    const { url } = await api.publicLinks.create({ id })
    const visitor = await e2e.visit(url!)
    await visitor.getByRole('heading', { name: 'Finance' }).waitFor()
    await visitor.getByText('receipts.csv').click()
    await visitor.getByText('Analytical Engines').waitFor()
    await visitor.getByRole('button', { name: 'Finance' }).click()
    await visitor.getByText('notes.md').click()
    await visitor.frameLocator('iframe').getByText('Paid in full.').waitFor()
    await visitor.goBack()
    await visitor.getByText('receipts.csv').waitFor()
    await visitor.goForward()
    await visitor.reload()
    await visitor.frameLocator('iframe').getByText('Paid in full.').waitFor()
  })
})
