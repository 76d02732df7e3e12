import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { rawZip } from '../../server/testing/factories/raw-zip.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { signIn } from './auth-steps.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Memory and skills', () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  let api: Client<Contract>
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', role: 'owner', password: PASSWORD })
    api = await e2e.app.withSession(ada)
  })

  test('a memory is saved, found, changed and restored; a proposal is shown beside what it replaces, and decided', async () => {
    const page = await e2e.visit('/memory', { as: ada })
    await page.getByRole('button', { name: 'New memory' }).first().waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Key').fill('releases')
    await page.getByLabel('Content').fill('On Tuesdays')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const panel = page.getByRole('complementary', { name: 'releases' })
    await panel.getByLabel('Content').fill('On Fridays')
    await panel.getByRole('button', { name: 'Save changes' }).click()
    await panel.getByText('− On Tuesdays').waitFor()
    await inspectPage(page, 'memory')
    await page.setViewportSize({ width: 1440, height: 900 })
    await panel.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored version 1').waitFor()
    await panel.getByRole('button', { name: 'Close panel' }).click()
    await page.getByLabel('Search memory').fill('tuesday')
    await page.getByRole('link', { name: 'releases' }).waitFor()

    const other = await api.memory.create({ key: 'draft', content: 'On Sundays' })
    await e2e.app
      .sql`update memories set status = 'proposed', source = 'run', key = 'releases' where id = ${other.id}`
    await page.getByRole('link', { name: 'Proposed' }).click()
    const proposal = page.getByRole('article', { name: 'releases' })
    await proposal.getByText('+ On Sundays').waitFor()
    await inspectPage(page, 'memory-proposed')
    await page.setViewportSize({ width: 1440, height: 900 })
    await proposal.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await proposal.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No proposals').waitFor()
    expect((await api.memory.list({ q: 'releases' })).items).toMatchObject([{ content: 'On Tuesdays' }])
  })

  test('a question shows the passages that agents find, their scores, and a link to the file', async () => {
    const { id } = await api.fileTexts.write({
      name: 'lease.md',
      text: '# Notice\n\nTenants give three months of notice.',
    })
    await expect
      .poll(async () => (await api.files.get({ id })).knowledge?.state, { timeout: 15_000 })
      .toBe('ready')
    const page = await e2e.visit('/knowledge/test', { as: ada })
    await page.getByText('See what agents find').waitFor()
    await page.getByLabel('Ask a question').fill('How many months of notice do tenants give?')
    const found = page.getByRole('article', { name: 'lease.md' })
    await found.getByText('three months').waitFor()
    const marked = await found.locator('mark').allInnerTexts()
    expect(marked).toEqual(expect.arrayContaining(['Tenants', 'notice']))
    expect(marked).not.toContain('of')
    await found.getByText('Why it’s here').click()
    await found
      .getByRole('listitem')
      .filter({ hasText: /^notice/ })
      .getByText('1 passage')
      .waitFor()
    await inspectPage(page, 'test-retrieval')
    await page.setViewportSize({ width: 1440, height: 900 })
    await found.getByRole('link', { name: 'lease.md' }).click()
    await page.waitForURL((url) => url.searchParams.get('file') === id)
  })

  test('an owner without a project gets no project filter, and a button that leads on', async () => {
    const owner = await e2e.app.person(await e2e.app.organization(), { role: 'owner' })
    const page = await e2e.visit('/knowledge', { as: owner })
    await page.getByRole('link', { name: 'Test retrieval' }).waitFor()
    const create = page.getByRole('main').getByRole('link', { name: 'New project' })
    await create.waitFor()
    for (const path of ['/knowledge', '/knowledge/test', '/memory']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Project' }).count()).toBe(0)
    }
    await page.goto('/knowledge')
    await create.click()
    await page.waitForURL('**/projects/new**')
  })

  test("a skill is imported after a file preview, edited, and chosen in an agent's form", async () => {
    const page = await e2e.visit('/skills', { as: ada })
    await page.getByText('No skills yet').waitFor()
    const skill = '---\nname: notes\ndescription: Takes notes\n---\n# Steps\n'
    const buffer = rawZip([
      { name: 'notes/SKILL.md', content: skill },
      { name: 'notes/references/style.md', content: 'Be brief' },
    ])
    await page
      .getByLabel('Zip file with a skill')
      .setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer })
    const dialog = page.getByRole('dialog', { name: 'Import notes.zip' })
    await dialog.getByRole('button', { name: 'references/style.md' }).click()
    await dialog.getByText('Be brief').waitFor()
    expect((await api.skills.list({})).items).toEqual([])
    await inspectPage(page, 'skills-import')
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('button', { name: 'Import skill' }).click()
    await page.getByText('Preview', { exact: true }).click()
    await page.getByRole('heading', { name: 'Steps' }).waitFor()
    await page.getByRole('button', { name: 'Add file' }).click()
    await page.getByLabel('Path').fill('scripts/run.sh')
    await page.getByRole('dialog').getByRole('button', { name: 'Add file' }).click()
    await page.getByRole('textbox', { name: 'scripts/run.sh' }).fill('echo hi')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Versions 3' }).waitFor()
    await inspectPage(page, 'skill')
    await page.setViewportSize({ width: 1440, height: 900 })

    const { id } = (await api.skills.list({})).items[0]!
    await page.goto(`${e2e.app.url}/skills/${id}`)
    await page.getByText('License, compatibility, tools and metadata').click()
    await page.getByLabel('License').fill('MIT')
    await page.getByRole('button', { name: 'Add metadata' }).click()
    await page.getByLabel('Name 1').fill('author')
    await page.getByLabel('Text 1').fill('Ada')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Versions 4' }).waitFor()
    expect(await api.skills.get({ id })).toMatchObject({ license: 'MIT', metadata: { author: 'Ada' } })

    const rule = { kind: 'topic', on: 'output', action: 'flag', config: { phrases: ['aurora'] } }
    const changes = [
      { kind: 'guardrail', id: null, version: null, name: 'Plans', body: rule },
      {
        ...{ kind: 'skill', id, version: 4, name: 'notes' },
        // Longer than the headers of a request can be.
        body: { description: 'Takes long notes', instructions: randomBytes(20_000).toString('base64') },
      },
    ]
    const link = deflateRawSync(JSON.stringify(changes)).toString('base64url')
    await page.context().clearCookies()
    await page.goto(`${e2e.app.url}/agents/apply#${link}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await signIn(page, ada.email)
    await page.getByText('− Takes notes').waitFor()
    await inspectPage(page, 'agents-apply')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Apply 2 changes' }).click()
    await page.getByText('Applied. The terminal continues.').waitFor()
    expect((await api.guardrails.list()).items).toMatchObject([{ name: 'Plans', ...rule }])
    expect(await api.skills.get({ id })).toMatchObject({ description: 'Takes long notes', version: 5 })

    await page.goto(`${e2e.app.url}/agents/new?from=blank&tab=tools`)
    await page.getByLabel('Name').fill('Writer')
    await page.getByRole('checkbox', { name: 'notes' }).check()
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByText('Created Writer').waitFor()
    expect((await api.agents.list({ q: 'writer' })).items).toMatchObject([{ skills: [id] }])
  })
})
