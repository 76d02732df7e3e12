import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { folderCreator } from './stored-files.ts'

const PAGES = [
  ['Projects', 'p', '/projects'],
  ['Files', 'l', '/files'],
  ['My feedback', 'f', '/feedback'],
  ['Integrations', '+', '/integrations'],
  ['Usage and budgets', 't', '/settings/organization/usage'],
  ['Feedback queue', 'q', '/operate/feedback'],
  ['Jobs', 'j', '/operate/jobs'],
  ['API keys', 'k', '/settings/api-keys'],
  ['Home', 'h', '/'],
  ['API reference', 'r', '/docs'],
] as const

describe.skipIf(!CHROMIUM)('keyboard navigation', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, role: 'owner', operator: true })
  })

  async function start(path = '/settings/api-keys') {
    const page = await e2e.visit(path, { as: ada })
    await page
      .getByRole('navigation', { name: /^(Sections|Settings)$/ })
      .first()
      .waitFor()
    return page
  }
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' })
  const dialogs = (page: Page) => page.getByRole('dialog')
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('reaches every page from the palette', async () => {
    const page = await start()
    for (const [label, , path] of PAGES) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(label)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === path)
    }
  })

  test('finds records by name and content in the palette, recently opened ones first', async () => {
    const browser = await e2e.app.withSession(ada)
    const folderId = await (await folderCreator(e2e.app, ada))('Quarterly numbers')
    const { id } = await browser.webhooks.create({ name: 'Quarterly report' })
    const page = await start()
    const open = async (typed: string, label: string, path: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed)
      await palette(page).getByRole('option', { name: label }).click()
      await page.waitForURL((url) => url.pathname === path)
    }
    await open('Quarterly num', 'Quarterly numbers', `/files/${folderId}`)
    await open('Quarterly rep', 'Quarterly report', `/webhooks/${id}`)
    const project = await e2e.app.project(ada, { name: 'Observatory' })
    const note = {
      projectId: project.id,
      type: 'note',
      content: 'The <b>telescope</b> arrives on Monday',
    } as const
    const block = await browser.canvas.create(note)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('telescope')
    const option = palette(page).getByRole('group', { name: 'Blocks' }).getByRole('option')
    await expect.poll(() => option.textContent()).toContain('The <b>telescope</b> arrives')
    await expect.poll(() => option.locator('mark').first().textContent()).toBe('telescope')
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('true')
    expect(
      await palette(page)
        .getByRole('combobox')
        .evaluate((input) => input === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('block') === block.id)
    await page.locator('.react-flow__node.selected', { hasText: 'telescope' }).waitFor()
    // The page that was opened last is the first result of an empty search.
    await page.getByRole('button', { name: 'Search' }).first().click()
    const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')
    await expect.poll(() => recent.first().textContent()).toMatch(/^Observatory/)
    await page.keyboard.press('Escape')
  })

  test('runs palette commands, moves the selection with the arrow keys, and shows an empty state', async () => {
    const page = await start()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('zzz')
    await palette(page).getByText('No results for “zzz”.').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('theme')
    await page.keyboard.press('Enter')
    await palette(page).getByRole('option', { name: 'Dark' }).waitFor()
    // Backspace leaves the choice, and Enter opens it again.
    await page.keyboard.press('Backspace')
    await palette(page).getByRole('option', { name: 'Theme…' }).waitFor()
    await page.keyboard.type('theme')
    await page.keyboard.press('Enter')
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.keyboard.press('Control+k')
    const selected = () => palette(page).getByRole('option', { selected: true }).textContent()
    // The last command comes first; at most five options per group, and Tab shows one group whole.
    await palette(page).getByRole('group', { name: 'Recent' }).waitFor()
    await expect.poll(selected).toMatch(/^Theme…/)
    const pages = palette(page).getByRole('group', { name: 'Pages' }).getByRole('option')
    await expect.poll(() => pages.count()).toBe(5)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => pages.count()).toBeGreaterThan(20)
    await expect.poll(selected).toMatch(/^Home/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(selected).toMatch(/^Inbox/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(selected).toMatch(/^Deleted projects/)
  })

  test('finds pages by their former names', async () => {
    const page = await start()
    for (const [typed, path] of [
      ['telephony', '/phone'],
      ['connections', '/integrations'],
      ['billing', '/settings/organization/usage'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === path)
    }
  })

  test('old addresses lead to the new pages', async () => {
    const page = await start()
    for (const [old, path] of [
      ['/connections?q=mail', '/integrations?q=mail'],
      ['/telephony/calls', '/phone/calls'],
      ['/usage?by=model', '/settings/organization/usage?by=model'],
      ['/billing/payments', '/settings/organization/payments'],
      ['/billing/mandates', '/settings/organization/payments/mandates'],
      ['/settings/organization/connectors', '/integrations/custom'],
      ['/settings/members', '/settings/organization/members'],
    ] as const) {
      await page.goto(new URL(old, page.url()).href)
      await page.waitForURL((url) => url.pathname + url.search === path)
    }
  })

  test('moves the cursor in the palette with Home and End before the results have loaded', async () => {
    const page = await start()
    await page.route('**/assets/palette-results-*.js', () => new Promise(() => {}))
    await page.reload()
    await page
      .getByRole('navigation', { name: /^(Sections|Settings)$/ })
      .first()
      .waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('b')
    await page.keyboard.press('Home')
    await page.keyboard.type('a')
    await page.keyboard.press('End')
    await page.keyboard.type('c')
    await expect.poll(() => palette(page).getByRole('combobox').inputValue()).toBe('abc')
  })

  test('opens each section with G and a letter', async () => {
    const page = await start()
    for (const [, letter, path] of PAGES) {
      await page.keyboard.press('g')
      await page.keyboard.press(letter)
      await page.waitForURL((url) => url.pathname === path)
    }
  })

  test('shows the shortcuts with ?, and closes the topmost dialog with Escape', async () => {
    const page = await start('/settings/api-keys/new')
    await page.getByLabel('Name').fill('Nightly import')
    await e2e.app.sql`update sessions set step_up_until = null where user_id = ${ada.id}`
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly import')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => dialogs(page).count()).toBe(0)
    expect(pathOf(page)).toBe('/settings/api-keys')
    await page.keyboard.press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const label of ['Search', 'Feedback queue', 'Close panel or dialog']) {
      await shortcuts.getByText(label).waitFor()
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => dialogs(page).count()).toBe(0)
  })

  test('ignores shortcuts while the user types and while a dialog is open', async () => {
    const client = await e2e.app.withSession(ada)
    await client.feedback.submit({ message: 'Something to filter' })
    const page = await start('/feedback')
    await page.getByLabel('Filter by text').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('gkf?n[j/')
    expect(await page.getByLabel('Filter by text').inputValue()).toBe('gkf?n[j/')
    expect([pathOf(page), await dialogs(page).count()]).toEqual(['/feedback', 0])
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.keyboard.type('gkfn')
    expect([pathOf(page), await dialogs(page).count()]).toEqual(['/feedback', 1])
  })

  test('restores the focus when a dialog closes', async () => {
    const page = await start()
    const openers = [
      page.getByRole('button', { name: /^Search or jump to/ }),
      page.getByRole('link', { name: 'New key' }).first(),
    ]
    for (const opener of openers) {
      await opener.focus()
      await page.keyboard.press('Enter')
      await dialogs(page).waitFor()
      await page.keyboard.press('Escape')
      await dialogs(page).waitFor({ state: 'detached' })
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Keyboard shortcuts')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => openers[1]!.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('focuses the skip link with the first Tab', async () => {
    const page = await start()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('closes a menu without waiting for an animation the selection may have interrupted', async () => {
    const page = await start('/projects')
    await page.getByRole('button', { name: /^Account/ }).press('Enter')
    const menu = page.getByRole('menu')
    expect(await menu.evaluate((element) => getComputedStyle(element).animationName)).toBe('none')
    await menu.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
