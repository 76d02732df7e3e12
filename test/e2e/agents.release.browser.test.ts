import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pngOf } from './drawn-files.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Agents', () => {
  const e2e = startE2e()
  let ada: Person
  let viewer: Person
  let member: Person
  let api: Client<Contract>
  beforeAll(async () => {
    const org = await e2e.app.organization()
    viewer = await e2e.app.person(org, { name: 'Vera' })
    await e2e.app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, role: 'admin' })
    member = await e2e.app.person(org, { name: 'Max' })
    api = await e2e.app.withSession(await e2e.app.person(org, { name: 'Grace', role: 'admin' }))
  })

  const save = (page: Page) => page.getByRole('button', { name: /^Publish version/ })
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name })
  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })

  test('show an uploaded image on every page, until it is removed', async () => {
    const { id } = await api.agents.create({ name: 'Painter' })
    const page = await e2e.visit(`/agents/${id}`, { as: ada })
    await page.getByRole('button', { name: 'Change the face' }).press('Enter')
    const choose = (name: string, mimeType: string, bytes: Uint8Array) =>
      page.getByLabel('Image', { exact: true }).setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })
    await choose('notes.txt', 'text/plain', Buffer.from('No picture'))
    await toast(page, 'Your browser can’t read this image. Choose a PNG, JPEG or WebP image.').waitFor()
    await choose('face.png', 'image/png', pngOf(900, 600, [20, 120, 110]))
    await page.getByRole('button', { name: 'Remove image' }).waitFor()
    const { imageUrl } = await api.agents.get({ id })
    const faces = page.locator(`image[href="${imageUrl}"]`)
    await faces.first().waitFor()
    await page.goto('/agents')
    await faces.first().waitFor()
    await page.goto(`/chat/new?agent=${id}`)
    await faces.first().waitFor()
    await page.goto(`/agents/${id}`)
    await page.getByRole('button', { name: 'Change the face' }).press('Enter')
    await page.getByRole('button', { name: 'Remove image' }).press('Enter')
    await page.getByRole('button', { name: 'Upload image…' }).waitFor()
    expect(await api.agents.get({ id })).toMatchObject({ imageUrl: null, version: 1 })
  })

  test('are created in one screen, changed, restored from a version, archived and found again', async () => {
    const page = await e2e.visit('/agents', { as: ada })
    await page.getByRole('link', { name: 'New agent' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('link', { name: 'Start without a template' }).click()
    await page.getByLabel('Name').fill('Researcher')
    await page.getByLabel('Description').fill('Finds sources and compares them')
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.\nName your sources.')
    await page.getByRole('combobox', { name: 'Model' }).click()
    await page.getByRole('combobox', { name: 'Find a model' }).fill('nowhere/model')
    await page.getByRole('option', { name: 'nowhere/model' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Model' }).getByText('nowhere/model').waitFor()
    await tab(page, 'Tools').click()
    await page.getByRole('switch', { name: 'Web' }).check()
    await tab(page, 'Safety').click()
    await page.getByRole('group', { name: 'Rule for Delete' }).getByText('Deny').click()
    await tab(page, 'Limits').click()
    await page.getByLabel('Steps').fill('12')
    await inspectPage(page, 'agents-new')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Create agent' }).click()
    await toast(page, 'Created Researcher').waitFor()
    await page.getByText('No configured provider offers nowhere/model.').waitFor()
    const { items } = await api.agents.list({ q: 'researcher' })
    expect(items).toMatchObject([{ tools: { web: true }, approvals: { delete: 'deny' }, maxSteps: 12 }])
    const { id } = items[0]!

    await page.getByRole('textbox', { name: 'Instructions' }).fill('Be thorough.\nName your sources.')
    await save(page).click()
    await toast(page, 'Published version 2').waitFor()
    await page.getByRole('button', { name: 'Version 2' }).click()
    const panel = page.getByRole('complementary', { name: 'Versions' })
    await panel.getByText('− Be brief.').waitFor()
    await panel.getByText('+ Be thorough.').waitFor()
    await inspectPage(page, 'agents-versions')
    await page.setViewportSize({ width: 1440, height: 900 })
    await panel.getByRole('button', { name: 'Restore version 1' }).click()
    await toast(page, 'Restored version 1').waitFor()
    await expect.poll(async () => (await api.agents.get({ id })).prompt).toBe('Be brief.\nName your sources.')
    await panel.getByText('Restored version 1').waitFor()
    await panel.getByRole('button', { name: 'Close panel' }).click()

    await page.getByRole('button', { name: 'Actions for Researcher' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByText('This agent is archived').waitFor()
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('link', { name: 'Archived' }).click()
    await page.getByRole('link', { name: 'Researcher' }).waitFor()
    await page.getByLabel('Search agents').fill('nothing like it')
    await page.getByText('No archived agents match').waitFor()
  })

  test('know the projects, folders and files that are chosen by keyboard', async () => {
    const project = await e2e.app.project(ada, { name: 'Waterworks' })
    const files = await e2e.app.withSession(ada)
    const { folderId } = await files.projects.get({ id: project.id })
    const created = await files.files.create({ source: 'folder', name: 'Valve manuals', parentId: folderId! })
    const folder = 'file' in created ? created.file.id : created.id
    const { id } = await api.agents.create({ name: 'Librarian' })
    const page = await e2e.visit(`/agents/${id}?tab=tools`, { as: ada })
    const picker = page.getByRole('combobox', { name: 'Add a project, folder or file' })
    const options = page.getByRole('listbox')
    for (const name of ['Waterworks', 'Valve manuals']) {
      await picker.fill(name)
      await options.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
    }
    await page.getByRole('listitem').filter({ hasText: 'Valve manuals Waterworks' }).waitFor()
    await inspectPage(page, 'agents-knowledge')
    await page.setViewportSize({ width: 1440, height: 900 })
    // Enter chose: it did not publish.
    expect((await api.agents.get({ id })).version).toBe(1)
    await picker.fill('nothing like it')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove Waterworks' }).press('Enter')
    await save(page).click()
    await expect.poll(async () => (await api.agents.get({ id })).knowledge).toEqual([folder])
  })

  test('start from a template, which shows what it may do and suggests messages', async () => {
    await e2e.app.project(ada, { name: 'Press' })
    const page = await e2e.visit('/agents/new', { as: ada })
    await inspectPage(page, 'agents-templates')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Invoice check' }).click()
    const preview = page.getByRole('complementary', { name: 'Invoice check' })
    const never = preview.getByRole('region', { name: 'Never' })
    await never.getByText('Payments and paid services.').waitFor()
    await inspectPage(page, 'agents-template')
    await page.setViewportSize({ width: 1440, height: 900 })
    await preview.getByRole('link', { name: 'Use this template' }).click()
    await page.getByRole('button', { name: 'Create agent' }).click()
    await toast(page, 'Created Invoice check').waitFor()
    const question = 'Which supplier raised prices this quarter?'
    await page.getByRole('button', { name: question }).click()
    await expect.poll(() => page.getByPlaceholder('Message Invoice check').inputValue()).toBe(question)
    const [agent] = (await api.agents.list({ q: 'invoice check' })).items
    expect(agent).toMatchObject({ approvals: { spend: 'deny', send: 'deny' }, emoji: '🧾' })
  })

  test('show the tab of a setting that the server refuses, and choose models by keyboard', async () => {
    const { id } = await api.agents.create({ name: 'Picky', model: 'test/script' })
    const page = await e2e.visit(`/agents/${id}?panel=none`, { as: ada, expectedStatuses: [400] })
    const model = page.getByRole('combobox', { name: 'Model' })
    await model.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('dialog', { name: 'Model' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await model.evaluate((button) => button === document.activeElement)).toBe(true)
    await model.press('Enter')
    await inspectPage(page, 'agents-models')
    await page.setViewportSize({ width: 1440, height: 900 })
    // The inspection moved the focus, which closes the menu.
    await model.press('ArrowDown')
    await page.keyboard.type('echo')
    await page.keyboard.press('Enter')
    await model.getByText(/^Echo/).waitFor()
    await tab(page, 'Limits').click()
    await page.getByLabel('Budget in USD').fill('much')
    await tab(page, 'Tools').click()
    await save(page).click()
    await page.getByText('Enter an amount such as 2.50.').waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('limits')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: /^Publish version/ }).waitFor({ state: 'detached' })
  })

  test('ask before edits are lost and when another member has changed the agent', async () => {
    const { id } = await api.agents.create({ name: 'Shared', prompt: 'One' })
    const page = await e2e.visit(`/agents/${id}`, { as: ada, expectedStatuses: [412] })
    await page.getByLabel('Description').fill('By Ada')
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await api.agents.update({ id, prompt: 'Two', description: 'By Grace' })
    await save(page).click()
    const conflict = page.getByRole('dialog', { name: 'This agent changed while you were editing' })
    await conflict.getByText('Grace').first().waitFor()
    await inspectPage(page, 'agents-conflict')
    await page.setViewportSize({ width: 1440, height: 900 })
    await conflict.getByRole('button', { name: 'Overwrite' }).click()
    await toast(page, 'Published version 3').waitFor()
    expect(await api.agents.get({ id })).toMatchObject({ description: 'By Ada', prompt: 'Two', version: 3 })

    await page.getByLabel('Description').fill('By Ada again')
    await api.agents.update({ id, description: 'By Grace again' })
    await save(page).click()
    await conflict.getByRole('button', { name: 'Discard my changes' }).click()
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('By Grace again')
  })

  test('require step-up for a rule that allows sending', async () => {
    const { id } = await api.agents.create({ name: 'Sender' })
    const page = await e2e.visit(`/agents/${id}?tab=safety`, { as: ada, steppedUp: false })
    await page.getByRole('group', { name: 'Rule for Send' }).getByText('Allow').click()
    await save(page).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await toast(page, 'Published version 2').waitFor()
    expect((await api.agents.get({ id })).approvals).toEqual({ send: 'allow' })
  })

  test("are read-only, with the reason, for a member who doesn't own them", async () => {
    const { id } = await api.agents.create({ name: 'Shared' })
    const page = await e2e.visit(`/agents/${id}?panel=versions`, { as: member })
    await page.getByText('Only its creator, admins and owners can.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Instructions' }).isDisabled()).toBe(true)
    await page.goto('/agents')
    await page.getByRole('link', { name: 'Assistant' }).click()
    await page.getByText('Only admins and owners can.').waitFor()
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
  })

  test('are read-only for a viewer, who is offered no action the server refuses', async () => {
    const { id } = await api.agents.create({ name: 'Readable' })
    await api.agents.update({ id, prompt: 'Changed' })
    const page = await e2e.visit(`/agents/${id}?panel=versions`, { as: viewer })
    await page.getByText('You can view this agent.').waitFor()
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
    await page.getByText('+ Changed').waitFor()
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
    await page.goto('/agents')
    await page.getByRole('link', { name: 'Readable' }).waitFor()
    expect(await page.getByRole('link', { name: 'New agent' }).count()).toBe(0)
    await page.goto('/agents/new?template=researcher')
    await page.getByText('You can view agents.').waitFor()
    await page.getByRole('heading', { name: 'What it may do' }).waitFor()
    expect(await page.getByRole('link', { name: 'Use this template' }).count()).toBe(0)
    await page.goto('/agents/new?from=blank')
    await page.getByText('You can view agents.').waitFor()
    expect(await page.getByLabel('Name').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Create agent' }).count()).toBe(0)
    const otherPages = [
      ['/schedules', 'You need edit access to a project to create one.', 'New schedule'],
      ['/guardrails', 'To create guardrails, you need edit access in a workspace.', 'New guardrail'],
      ['/memory', 'Workspace editors can add memories.', 'New memory'],
      ['/mcp-servers', 'Admins can add servers.', 'Add server'],
    ] as const
    for (const [path, explanation, action] of otherPages) {
      await page.goto(path)
      await page.getByText(explanation).waitFor()
      expect(await page.getByRole('button', { name: action }).count()).toBe(0)
    }
  })

  test('list and editor fit every width and have no accessibility violations', async () => {
    await api.agents.create({
      name: 'Translator',
      emoji: '🌍',
      description: 'Translates what it is given',
      model: 'a/b',
    })
    const page = await e2e.visit('/agents', { as: ada })
    await page.getByRole('link', { name: 'Translator' }).waitFor()
    await inspectPage(page, 'agents')
    await page.getByRole('link', { name: 'Assistant' }).click()
    await page.getByText('You are Assistant').waitFor()
    await inspectPage(page, 'agents-editor')
  })
})
