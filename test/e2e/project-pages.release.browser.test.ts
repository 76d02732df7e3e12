import { beforeAll, describe, test } from 'vitest'
import { type Organization, PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'
import { seedProjects } from './seed-projects.ts'

const LAYOUT_RULES = 'fits every width, is readable in both themes, and is accessible'
const LONG_TIMEOUT = { timeout: 240_000 }

describe.skipIf(!CHROMIUM)('project pages', LONG_TIMEOUT, () => {
  const e2e = startE2e()
  let org: Organization
  let ada: Person
  let mary: Person
  let newUser: Person
  let projects: Awaited<ReturnType<typeof seedProjects>>
  let shareUrl: string
  let invite: string
  beforeAll(async () => {
    org = await e2e.app.organization('Analytical Engines')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner', password: PASSWORD })
    mary = await e2e.app.person(org, { name: 'Mary Somerville' })
    projects = await seedProjects(e2e.app, ada)
    await e2e.app.sql`update workspace_members set role = 'viewer' where user_id = ${mary.id}`
    newUser = await e2e.app.person(await e2e.app.organization('Difference & Sons'))
    await seedSharing()
  })

  async function seedSharing() {
    const api = await e2e.app.withSession(ada)
    const { id: projectId } = await api.projects.create({ name: 'Shared plan', emoji: '🚀' })
    const share = await api.sharing.share({ projectId, access: 'edit', password: 'open sesame, please' })
    shareUrl = share.url!
    invite = (await api.sharing.invite({ projectId, role: 'editor', maxUses: 5 })).url!
    await api.sharing.invite({ projectId, role: 'viewer', email: 'charles.babbage@example.com' })
    await api.projects.create({ name: 'Unshared' })
  }

  test.each<[string, () => string, string, (() => Person)?]>([
    ['projects-empty', () => '/projects', 'Create your first project', () => newUser],
    ['projects-trash-empty', () => '/projects/trash', 'Trash is empty', () => newUser],
    ['home-projects', () => '/', 'All projects'],
    ['projects', () => '/projects', 'Support inbox'],
    ['projects-all', () => '/projects?show=all&workspace=all', 'Old website'],
    ['projects-found', () => '/projects?q=plan', 'Launch plan'],
    ['projects-none', () => '/projects?q=nowhere&tag=q4', 'No projects match'],
    ['projects-cards', () => '/projects?layout=cards', 'Support inbox'],
    ['projects-board', () => '/projects?layout=board&workspace=all', 'All statuses'],
    ['projects-templates', () => '/projects/templates', 'From Atrium'],
    ['projects-from-template', () => '/projects/new?start=template:research', 'A question, its sources'],
    ['projects-trash', () => '/projects/trash', 'Abandoned idea'],
    ['projects-new', () => '/projects/new', 'Leave the name empty'],
    ['project-settings', () => `/projects/${projects.launch}?panel=settings`, 'Agents read this'],
    ['project-settings-viewer', () => `/projects/${projects.launch}?panel=settings`, 'View only', () => mary],
  ])(`%s ${LAYOUT_RULES}`, async (name, path, words, user = () => ada) => {
    const page = await e2e.show(path(), words, user())
    await inspectPage(page, name)
  })

  test(`projects-menu ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByRole('button', { name: 'Actions for Launch plan' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await inspectPage(page, 'projects-menu')
  })

  test(`projects-new-emoji ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/projects/new', { as: ada })
    await page.getByLabel('Description').fill('Everything we need to move the office to Lisbon')
    await page.getByRole('button', { name: 'Choose an emoji' }).click()
    await inspectPage(page, 'projects-new-emoji')
  })

  test(`project-restore ${LAYOUT_RULES}`, async () => {
    const client = await e2e.app.withSession(ada)
    const { id: projectId } = await client.projects.create({ name: 'Backed up', emoji: '🔒' })
    const note = await client.canvas.create({ projectId, type: 'note', title: 'Press list', x: 0, y: 0 })
    await client.canvas.create({ projectId, type: 'text', content: 'What we say first', x: 300, y: 0 })
    const manifest = await client.projectExport.export({ projectId })
    await client.canvas.update({ projectId, blockId: note.id, title: 'Old press list' })
    await client.projects.update({ id: projectId, description: 'Changed since' })
    const page = await e2e.visit(`/projects/${projectId}?panel=settings`, { as: ada })
    await page.getByLabel('Manifest to restore').setInputFiles({
      name: 'backup.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(manifest)),
    })
    await page.getByRole('button', { name: /^Apply \d/ }).waitFor()
    await inspectPage(page, 'project-restore')
  })

  test(`projects-palette ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByText('Support inbox').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('plan')
    await page.getByRole('option', { name: 'Launch plan' }).waitFor()
    await inspectPage(page, 'projects-palette')
  })

  async function openDialog(project: string) {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByRole('link', { name: project }).focus()
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: 'Share link' }).waitFor()
    return page
  }

  test(`share and share-invite: each ${LAYOUT_RULES}`, async () => {
    const page = await openDialog('Shared plan')
    await inspectPage(page, 'share')
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: 'Create invite link' }).click()
    await inspectPage(page, 'share-invite')
  })

  test(`share-off, share-form and share-store: each ${LAYOUT_RULES}`, async () => {
    const page = await openDialog('Unshared')
    await inspectPage(page, 'share-off')
    await page.getByRole('button', { name: 'Create share link' }).click()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    await inspectPage(page, 'share-form')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    await inspectPage(page, 'share-store')
  })

  test.each([
    ['shared-gone', () => '/s/not-a-link', 'This link no longer works'],
    ['join', () => invite, 'Join 🚀 Shared plan'],
    ['join-spent', () => '/join#not-a-link', 'This invitation is no longer valid'],
  ])(`%s ${LAYOUT_RULES}`, async (name, path, title) => {
    const page = await e2e.visit(path())
    await page.getByRole('heading', { name: title }).waitFor()
    await inspectPage(page, name)
  })

  test(`shared-password and shared: each ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit(shareUrl)
    await page.getByRole('heading', { name: 'Password required' }).waitFor()
    await inspectPage(page, 'shared-password')
    await page.setViewportSize(WIDE)
    await page.getByLabel('Password').fill('open sesame, please')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Shared plan' }).waitFor()
    await inspectPage(page, 'shared')
  })

  test(`join-signed-in ${LAYOUT_RULES}`, async () => {
    const charles = await e2e.app.person(await e2e.app.organization())
    const page = await e2e.visit(invite, { as: charles })
    await page.getByRole('button', { name: `Join as ${charles.email}` }).waitFor()
    await inspectPage(page, 'join-signed-in')
  })
})
