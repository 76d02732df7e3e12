import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { type SyncService, startSyncService } from '../../server/testing/fakes/sync-services.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const WIDE = { width: 1440, height: 900 }

describe.skipIf(!CHROMIUM)('Sources', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } }),
  })
  let site: SyncService
  let broken: SyncService
  let ada: Person
  let api: Client<Contract>
  let projectId: string
  beforeAll(async () => {
    site = await startSyncService('website')
    site.write('guides/start.md', 'Install the pump first')
    site.write(`guides/${'a-name-that-is-too-long-for-a-panel-'.repeat(3)}.md`, 'Long')
    broken = await startSyncService('website')
    broken.failWith(() => ({ status: 500, body: 'No' }))
    await e2e.app.app.startWorker()
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
    api = await e2e.app.withSession(ada)
    projectId = (await e2e.app.project(ada)).id
  })
  afterAll(async () => {
    await site?.close()
    await broken?.close()
  })

  test('a website is added by keyboard, synced, read in the panel, and deleted with its files', async () => {
    const page = await e2e.visit('/knowledge', { as: ada, expectedStatuses: [400] })
    await page.getByText('No sources yet').waitFor()
    await page.getByRole('button', { name: 'Add source' }).first().waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Add source' })
    // A service without a connection asks for nothing else.
    await dialog.getByRole('radio', { name: 'GitHub repository' }).focus()
    await page.keyboard.press('Space')
    await dialog.getByText('You have no connection to this service yet').waitFor()
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Connect' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByLabel('Website or sitemap').fill('docs.example.com')
    await dialog.getByText('Owners and admins (1)').waitFor()
    await inspectPage(page, 'sources-add')
    await page.setViewportSize(WIDE)
    const confirm = dialog.getByRole('checkbox')
    await confirm.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await dialog.getByText(/must be a URL such as/).waitFor()
    await dialog.getByLabel('Website or sitemap').fill(site.url)
    await dialog.getByLabel('Name (optional)').fill('Pump handbook')
    await page.keyboard.press('Enter')
    await page.getByText('Created Pump handbook').waitFor()

    await api.sources.create({
      projectId,
      kind: 'website',
      settings: { url: broken.url },
      name: 'A source with a name that is too long for the list, the panel and every dialog',
      confirmReaders: true,
    })
    await page.getByText('The site answers with status 500').waitFor()
    const row = page.getByRole('button', { name: 'Pump handbook', exact: true })
    await row.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Pump handbook' })
    await panel.getByRole('link', { name: 'guides/start' }).waitFor()
    await panel.getByText('Up to date').waitFor()
    await inspectPage(page, 'sources')
    await page.setViewportSize(WIDE)
    await page.reload()
    await panel.getByText('2 items in').waitFor()

    const { id, folderId } = (await api.sources.list({})).items.find(({ name }) => name === 'Pump handbook')!
    await page.getByRole('button', { name: 'Actions for Pump handbook' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete source' })
    await question.getByText('Its files stay').waitFor()
    await question.getByLabel('Move its folder and files to the trash').check()
    await question.getByText('Agents stop finding its files').waitFor()
    await question.getByRole('button', { name: 'Delete source' }).click()
    await page.getByText('Deleted Pump handbook').waitFor()
    await panel.waitFor({ state: 'detached' })
    expect((await api.sources.list({})).items.map((source) => source.id)).not.toContain(id)
    const trash = await api.files.list({ trashed: 'true' })
    expect(trash.items.map((file) => file.id)).toContain(folderId)
  })

  test('lead an owner without a project to a first one, and back to the form', async () => {
    const grace = await e2e.app.person(await e2e.app.organization(), { name: 'Grace', role: 'owner' })
    const page = await e2e.visit('/knowledge', { as: grace })
    await page.getByText('Create a project for its files first').waitFor()
    await inspectPage(page, 'sources-empty')
    await page.setViewportSize(WIDE)
    await page.getByRole('link', { name: 'New project' }).click()
    const question = page.getByRole('dialog', { name: 'New project' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    await question.getByLabel('Name', { exact: true }).fill('Handbook')
    await question.getByRole('button', { name: 'Create project' }).click()
    const form = page.getByRole('dialog', { name: 'Add source' })
    await form.getByText('Owners and admins (1)').waitFor()
    expect(await form.getByLabel('Project', { exact: true }).locator('option:checked').textContent()).toBe(
      'Handbook',
    )
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Add source' }).first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/knowledge')
  })

  test('are those of the project that is chosen, here and for “Test retrieval”', async () => {
    const other = await e2e.app.project(ada, { name: 'Empty project' })
    const page = await e2e.visit('/knowledge', { as: ada })
    await page.getByRole('table', { name: 'Sources' }).waitFor()
    await page.getByRole('combobox', { name: 'Project' }).selectOption('Empty project')
    await page.getByText('No sources yet').waitFor()
    await page.getByRole('link', { name: 'Test retrieval' }).click()
    await page.getByText('See what agents find').waitFor()
    expect(new URL(page.url()).searchParams.get('project')).toBe(other.id)
  })
})
