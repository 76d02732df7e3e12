import { beforeAll, describe, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'
import { seedOrganization } from './seed-organization.ts'
import { seedWebhooks } from './seed-webhooks.ts'
import { seedFiles } from './stored-files.ts'

const LAYOUT_RULES = 'fits every width, is readable in both themes, and is accessible'
const LONG_TIMEOUT = { timeout: 240_000 }

describe.skipIf(!CHROMIUM)('pages with data', LONG_TIMEOUT, () => {
  const e2e = startE2e()
  let world: Awaited<ReturnType<typeof seedOrganization>>
  let stored: Awaited<ReturnType<typeof seedFiles>>
  let hooks: Awaited<ReturnType<typeof seedWebhooks>>
  let newUser: Person
  beforeAll(async () => {
    world = await seedOrganization(e2e.app)
    stored = await seedFiles(e2e.app, world.ada)
    hooks = await seedWebhooks(e2e.app, world.ada)
    const org = await e2e.app.organization('Difference & Sons')
    newUser = await e2e.app.person(org, { name: 'Charles Babbage' })
  })

  test(`sign-in ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/sign-in?next=/feedback')
    await page.getByLabel('Email').waitFor()
    await inspectPage(page, 'sign-in')
  })

  test.each([
    ['home-first-run', '/', 'First steps'],
    ['files-empty', '/files', 'No files yet'],
    ['trash-empty', '/files/trash', 'Trash is empty'],
    ['runs-empty', '/runs', 'No runs yet'],
    ['approvals-empty', '/approvals', 'No open approvals'],
    ['feedback-empty', '/feedback', 'No feedback yet'],
    ['api-keys-empty', '/settings/api-keys', 'No keys yet'],
    ['agents-archived', '/agents/archived', 'No archived agents'],
    ['approvals-replies', '/approvals/replies', 'No replies to approve'],
    ['approvals-grants', '/approvals/grants', 'No tools are always allowed'],
    ['chat-start', '/chat', 'do for you?'],
    ['operators-only', '/operate/feedback', 'Operators only'],
    ['not-found', '/nowhere/at-all', 'Page not found'],
  ])(`%s ${LAYOUT_RULES}`, async (name, path, words) => {
    const page = await e2e.show(path, words, newUser)
    await inspectPage(page, name)
  })

  test.each([
    ['home', () => '/', '1 delivery failed'],
    ['files', () => '/files', 'Invoices of this year'],
    ['files-folder', () => `/files/${stored.quarter}`, 'receipts.csv'],
    ['files-found', () => '/files?q=re', 'Files / Finance / 2026 / Third quarter'],
    ['files-tagged', () => '/files?tag=finance', 'Tagged'],
    ['files-panel-table', () => `/files?file=${stored.table}`, 'Customer 1, Inc.'],
    ['files-panel-document', () => `/files?file=${stored.report}`, 'SHA-256'],
    ['files-panel-picture', () => `/files?file=${stored.picture}`, 'SHA-256'],
    ['trash', () => '/files/trash', 'Old draft.txt'],
    ['feedback', () => '/feedback', 'The import stops'],
    ['feedback-panel', () => `/feedback/${world.reviewed}`, 'It is a ThinkPad of 2014.'],
    ['feedback-panel-editable', () => `/feedback/${world.received}`, 'Edit message'],
    ['queue', () => '/operate/feedback', 'The import stops'],
    ['queue-panel', () => `/operate/feedback/${world.reviewed}`, 'Seen by three people'],
    ['jobs', () => '/operate/jobs', 'connect ECONNREFUSED'],
    ['health', () => '/operate/health', 'connect ECONNREFUSED'],
    ['webhooks', () => '/webhooks', 'Payments from Stripe'],
    ['webhook', () => `/webhooks/${hooks.orders}`, 'timingSafeEqual'],
    ['webhook-deliveries', () => `/webhooks/${hooks.orders}/deliveries?event=${hooks.failed}`, 'Attempt 3'],
    ['webhooks-new', () => '/webhooks/new', 'Atrium signs each event'],
    ['event', () => `/webhooks/events/${hooks.failed}`, 'No response within 15 seconds'],
    ['operate-connectors', () => '/operate/connectors', 'No endpoints yet'],
    ['operate-connector-events', () => '/operate/connectors/events', 'Events that providers sent'],
    ['agent-policy', () => '/settings/organization/agent-policy', 'The minimum rule for each risk'],
    ['api-keys', () => '/settings/api-keys', 'Laptop'],
    ['api-keys-new', () => '/settings/api-keys/new', 'Scopes are needed only for files,'],
  ])(`%s ${LAYOUT_RULES}`, async (name, path, words) => {
    const page = await e2e.show(path(), words, world.ada)
    await inspectPage(page, name)
  })

  test.each([
    ['files-selected', ['x', 'j', 'x'], () => ({ role: 'toolbar', name: 'Selected files' }) as const],
    ['files-move', ['x', 'm'], () => ({ role: 'dialog', name: /^Move/ }) as const],
    ['files-tags', ['x', 't'], () => ({ role: 'dialog', name: /^Tags for/ }) as const],
    ['files-rename', ['F2'], () => ({ role: 'textbox', name: /^New name for/ }) as const],
  ])(`%s ${LAYOUT_RULES}`, async (name, keys, shown) => {
    const page = await e2e.visit('/files', { as: world.ada })
    await page.getByRole('link', { name: 'invoices.csv' }).focus()
    for (const key of keys) await page.keyboard.press(key)
    await page.getByRole(shown().role, { name: shown().name }).waitFor()
    await inspectPage(page, name)
  })

  test(`files-uploads ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/files', { as: world.ada, expectedStatuses: [400] })
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await page.getByRole('link', { name: 'invoices.csv' }).waitFor()
    await page
      .getByLabel('Files to upload')
      .setInputFiles([file('notes of today.txt', 'notes'), file('setup.exe', 'MZ')])
    await page.getByText('1 of 2 files failed').waitFor()
    await inspectPage(page, 'files-uploads')
  })

  test.each([
    ['/projects', 'Project not found', 'All projects'],
    ['/agents', 'Agent not found', 'All agents'],
    ['/runs', 'Run not found', 'All runs'],
    ['/chat', 'Conversation not found', 'All conversations'],
    ['/webhooks', 'Webhook not found', 'All webhooks'],
    ['/skills', 'Skill not found', 'All skills'],
  ])('a record of %s that is gone leads back to the list', async (path, title, list) => {
    const page = await e2e.visit(`${path}/01a1f1b7-0000-7000-8000-000000000000`, {
      as: world.ada,
      expectedStatuses: [404],
    })
    const alert = page.getByRole('alert').filter({ hasText: title })
    await alert.getByRole('link', { name: list }).click()
    await page.waitForURL((url) => url.pathname.startsWith(path) && !url.pathname.endsWith('000000000000'))
  })

  test(`docs ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/docs')
    await page.getByRole('heading', { name: 'API reference' }).waitFor()
    await inspectPage(page, 'docs', { repeats: 'article, li, tr' })
  })

  test(`palette, shortcuts and feedback dialog: each ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/settings/api-keys', { as: world.ada })
    await page.getByText('Laptop').waitFor()
    const dialogs = [
      ['palette', 'Control+k', 'Search'],
      ['shortcuts', '?', 'Keyboard shortcuts'],
      ['send-feedback', 'f', 'Send feedback'],
    ] as const
    for (const [name, keys, title] of dialogs) {
      await page.setViewportSize(WIDE)
      await page.keyboard.press(keys)
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.waitFor()
      await inspectPage(page, name)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  })

  test.each([
    ['step-up', false, 'Confirm it’s you'],
    ['api-keys-store', true, 'Copy your key'],
  ])(`%s ${LAYOUT_RULES}`, async (name, steppedUp, title) => {
    const page = await e2e.visit('/settings/api-keys/new', { as: newUser, steppedUp })
    await page.getByLabel('Name').fill('Nightly import')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: title }).waitFor()
    await inspectPage(page, name)
  })

  test(`api-keys-revoke ${LAYOUT_RULES}`, async () => {
    const page = await e2e.visit('/settings/api-keys', { as: world.ada })
    await page.getByRole('button', { name: 'Revoke Laptop' }).click()
    await page.getByLabel('Type “Laptop” to confirm').fill('Laptop')
    await inspectPage(page, 'api-keys-revoke')
  })
})
