import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('feedback', () => {
  const e2e = startE2e()
  let ada: Person
  beforeEach(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  const api = () => e2e.app.withSession(ada)
  const form = (page: Page) => page.getByRole('dialog', { name: 'Send feedback' })
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Submission' })

  test('is sent from any page with F, shows the attached context, and its draft survives a reload', async () => {
    const page = await e2e.visit('/settings/api-keys?via=mail', { as: ada })
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('The key list forgets my filter')
    const attached = form(page).getByText(/Attached/)
    expect(await attached.textContent()).toContain('/settings/api-keys')
    expect(await attached.textContent()).toContain('1440×900')
    await page.reload()
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
    await page.keyboard.press('f')
    expect(await form(page).getByRole('textbox').inputValue()).toBe('The key list forgets my filter')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Feedback sent').waitFor()

    const { items } = await (await api()).feedback.list({})
    expect(items).toMatchObject([
      {
        message: 'The key list forgets my filter',
        metadata: {
          route: '/settings/api-keys?via=mail',
          viewport: { width: 1440, height: 900 },
          theme: 'light',
        },
      },
    ])
    await page.getByRole('button', { name: 'View' }).click()
    await panel(page).getByText('The key list forgets my filter').waitFor()
    expect(page.url()).toBe(`${e2e.app.url}/feedback/${items[0]!.id}`)
    await page.keyboard.press('f')
    expect(await form(page).getByRole('textbox').inputValue()).toBe('')
  })

  test('is sent without context after the sender removes it', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    await page.getByRole('button', { name: 'Send feedback' }).first().click()
    await form(page).getByRole('textbox').fill('Nothing but these words')
    await form(page).getByRole('button', { name: 'Remove attachment' }).click()
    await form(page).getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'Nothing but these words' }).waitFor()
    expect((await (await api()).feedback.list({})).items).toMatchObject([{ metadata: {} }])
  })

  test('is sent once per text after a lost response, and again after the text changes', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    let losesResponses = true
    await page.route('**/api/v1/feedback', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      if (!losesResponses) return route.fulfill({ response })
      await route.abort('aborted')
    })
    await page.getByRole('button', { name: 'Send feedback' }).first().click()
    const send = form(page).getByRole('button', { name: 'Send', exact: true })
    await form(page).getByRole('textbox').fill('Before the tunnel')
    for (const _ of ['once', 'again']) {
      const answer = page.waitForEvent('requestfailed')
      await send.click()
      await answer
      await form(page).getByRole('alert').getByText('Can’t reach the server').waitFor()
    }
    losesResponses = false
    await form(page).getByRole('textbox').fill('After the tunnel')
    await send.click()
    await page.getByText('Feedback sent').waitFor()
    const { items } = await (await api()).feedback.list({})
    expect(items.map(({ message }) => message)).toEqual(['After the tunnel', 'Before the tunnel'])
  })

  test('stores the draft per user, and deletes it at sign-out', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    const openForm = () => page.getByRole('button', { name: 'Send feedback' }).first().click()
    const drafts = () =>
      page.evaluate(() =>
        Object.values<string>(localStorage as never).filter((value) => value === 'Between us'),
      )
    await openForm()
    await form(page).getByRole('textbox').fill('Between us')

    const { person: eve } = await e2e.app.newUser({ name: 'Eve' })
    const [name, value] = (await e2e.app.session(eve)).cookie.split('=')
    const adaCookies = await page.context().cookies()
    await page.context().addCookies([{ name: name!, value: value!, url: e2e.app.url }])
    await page.reload()
    await openForm()
    expect(await form(page).getByRole('textbox').inputValue()).toBe('')

    await page.context().addCookies(adaCookies)
    await page.reload()
    await openForm()
    expect(await form(page).getByRole('textbox').inputValue()).toBe('Between us')
    await page.keyboard.press('Escape')
    expect(await drafts()).toEqual(['Between us'])
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await drafts()).toEqual([])
  })

  test('is never truncated: the counter matches the API and shows the excess', async () => {
    const page = await e2e.visit('/feedback', { as: ada })
    await page.getByRole('button', { name: 'Send feedback' }).first().click()
    const text = form(page).getByRole('textbox')
    await text.fill('🙃'.repeat(5001))
    await form(page).getByText('1 character over the limit (5,000)').waitFor()
    await page.keyboard.press('Control+Enter')
    expect(await text.inputValue()).toBe('🙃'.repeat(5001))
    expect((await (await api()).feedback.list({})).items).toEqual([])
    await text.fill('🙃'.repeat(5000))
    await form(page).getByText('5,000 of 5,000 characters').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Feedback sent').waitFor()
    expect((await (await api()).feedback.list({})).items).toMatchObject([{ message: '🙃'.repeat(5000) }])
  })

  test('is edited and commented on with Ctrl+Enter', async () => {
    const { id } = await (await api()).feedback.submit({ message: 'Befor' })
    const page = await e2e.visit(`/feedback/${id}`, { as: ada })
    await panel(page).getByRole('button', { name: 'Edit message' }).click()
    await panel(page).getByLabel('Message').fill('Before')
    await page.keyboard.press('Control+Enter')
    await panel(page).getByText('Before', { exact: true }).waitFor()
    await page.getByRole('row', { name: /Before/ }).waitFor()

    await panel(page).getByLabel('Add a comment').fill('And one more thing')
    await page.keyboard.press('Control+Enter')
    await panel(page).getByRole('listitem').getByText('And one more thing').waitFor()
    await expect.poll(() => panel(page).getByLabel('Add a comment').inputValue()).toBe('')
    const client = await api()
    expect(await client.feedback.get({ id })).toMatchObject({ message: 'Before', commentCount: 1 })

    const operator = await e2e.app.operator({ name: 'Grace' })
    await operator.client.feedback.comment({ id, body: 'We are on it' })
    await page.reload()
    await panel(page).getByText('We are on it').waitFor()
    await panel(page).getByRole('listitem').getByText('operator', { exact: true }).waitFor()
  })

  test('is not overwritten once an operator reviews it, and the sender sees why', async () => {
    const { id } = await (await api()).feedback.submit({ message: 'As it was' })
    const page = await e2e.visit(`/feedback/${id}`, { as: ada })
    await panel(page).getByRole('button', { name: 'Edit message' }).click()
    await panel(page).getByLabel('Message').fill('Too late')
    await (await e2e.app.operator()).client.feedback.handle({ id, status: 'triaged' })
    await panel(page).getByRole('button', { name: 'Save' }).click()
    await panel(page).getByRole('alert').getByText('Not saved: an operator started reviewing this').waitFor()
    await panel(page).getByText('Under review').waitFor()
    expect(await panel(page).getByRole('button', { name: 'Edit message' }).count()).toBe(0)
    expect(await (await api()).feedback.get({ id })).toMatchObject({ message: 'As it was' })
  })

  test('cannot be opened by URL by another user', async () => {
    const other = await e2e.app.newUser()
    const { id } = await other.client.feedback.submit({ message: 'Not for Ada' })
    const page = await e2e.visit(`/feedback/${id}`, { as: ada })
    await panel(page).getByRole('alert').getByText('Not found').waitFor()
    await panel(page).getByRole('button', { name: 'Copy request id' }).waitFor()
    expect(await page.content()).not.toContain('Not for Ada')
  })

  test('is rendered as text in list and panel, even if it contains markup', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script><b>bold</b>',
      '🙃'.repeat(5000),
      'مرحبا بالعالم \u202e gnihtyreve',
      `${'unbroken'.repeat(200)} [a](javascript:alert(1)) \${7*7} {{7*7}}`,
    ]
    const client = await api()
    const page = await e2e.visit('/feedback', { as: ada })
    page.on('dialog', () => expect.unreachable('a message ran as a script'))
    for (const message of hostile) {
      const { id } = await client.feedback.submit({ message, metadata: { note: message.slice(0, 900) } })
      await page.goto(`/feedback/${id}`)
      await panel(page).getByText('Nothing attached').or(panel(page).getByText('1 attached')).click()
      const shown = await panel(page).getByText(message.slice(0, 12)).first().textContent()
      expect(shown).toBe(message)
      expect(await page.getByRole('table').getByText(message.slice(0, 12)).textContent()).toBe(message)
      expect(await findOverflow(page)).toEqual([])
    }
    expect(await page.locator('#root img, #root script, #root b').count()).toBe(0)
  })
})

/** The elements whose content overflows their width. */
const findOverflow = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('aside, aside > *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.tagName} ${element.scrollWidth} > ${element.clientWidth}`),
  )
