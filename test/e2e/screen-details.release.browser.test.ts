import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../server/testing/carrier/carrier.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'
import { uploader } from './stored-files.ts'

const AMERICAN = { locale: 'en-US', timezoneId: 'Europe/Berlin' }

describe.skipIf(!CHROMIUM)('Screen details', () => {
  let carrier: ScriptedCarrier
  const e2e = startE2e({
    expectsDisconnects: true,
    build: async () => {
      carrier = await startCarrier()
      const app = await buildTestApp({
        env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ATRIUM_CONNECTOR_TWILIO_URL: carrier.url },
      })
      return { ...app, close: async () => void (await Promise.all([app.close(), carrier.close()])) }
    },
  })
  let ada: Person
  let api: Awaited<ReturnType<typeof e2e.app.withSession>>
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner', operator: true })
    api = await e2e.app.withSession(ada)
  })
  const visit = (path: string) => e2e.visit(path, { as: ada, context: AMERICAN, expectedStatuses: [400] })

  test('the conversation search finds titles, and its empty text is one paragraph', async () => {
    const { id: projectId } = await e2e.app.project(ada, { name: 'Leases' })
    await api.sessions.create({ projectId, title: 'Harbor lease' })
    const page = await visit('/chat?q=harbor')
    await page.getByRole('link', { name: 'Harbor lease' }).waitFor()
    await page.getByLabel('Search conversations').fill('zebra')
    await page.getByText('No conversations match “zebra”.').waitFor()
  })

  test('Twilio connects on the telephony page, and refused credentials leave no connection', async () => {
    const page = await visit('/phone')
    await page.getByRole('button', { name: 'Connect Twilio' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Twilio' })
    const connect = dialog.getByRole('button', { name: 'Connect', exact: true })
    await connect.click()
    expect(await dialog.getByText('Fill in this field.').count()).toBe(2)
    expect(await dialog.getByLabel('Account SID').evaluate((input) => input === document.activeElement)).toBe(
      true,
    )
    await dialog.getByLabel('Account SID').fill(carrier.account.sid)
    await dialog.getByLabel('Auth token').fill('0123456789abcdef0123456789abcdef')
    await connect.click()
    await dialog.getByRole('alert').waitFor()
    expect((await api.connections.list({})).items).toEqual([])
    await dialog.getByLabel('Auth token').fill(carrier.account.token)
    await connect.click()
    await page.getByRole('button', { name: 'Import number' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/phone')
  })

  test('a form explains what is wrong under the field, not in a bubble', async () => {
    const page = await visit('/webhooks/new')
    await page.evaluate(() => {
      const counts = globalThis as unknown as { bubbles: number }
      counts.bubbles = 0
      document.addEventListener(
        'invalid',
        (event) => {
          setTimeout(() => {
            if (!event.defaultPrevented) counts.bubbles++
          })
        },
        true,
      )
    })
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('Endpoint URL').fill('hooks')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    await dialog.getByText('Fill in this field.').waitFor()
    await dialog.getByText('Enter a full URL that starts with https:// or http://.').waitFor()
    expect(await page.evaluate(() => (globalThis as unknown as { bubbles: number }).bubbles)).toBe(0)
    await dialog.getByLabel('Endpoint URL').fill('https://example.com')
    await dialog.getByText('Enter a full URL').waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Endpoint URL').inputValue()).toBe('https://example.com')
  })

  test("times follow the locale, and time zones are searched with the browser's first", async () => {
    await e2e.app.project(ada, { name: 'Plans' })
    const page = await visit('/schedules')
    await page.getByRole('button', { name: 'New schedule' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New schedule' })
    await dialog.getByText(/next: \w{3}, \w{3} \d+, 9:00\sAM/).waitFor()
    const zone = dialog.getByRole('combobox', { name: 'Time zone' })
    await zone.click()
    const options = page.getByRole('listbox', { name: 'Time zone' }).getByRole('option')
    expect(await options.first().textContent()).toContain('Europe/Berlin · this browser')
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'detached' })
    await zone.fill('new york')
    await page.keyboard.press('Enter')
    expect(await zone.inputValue()).toBe('America/New York')
    await dialog.waitFor()
    // The list scrolls: neither Tab nor a click on its edge moves the focus into it.
    await zone.click()
    const list = (await page.getByRole('listbox', { name: 'Time zone' }).boundingBox())!
    await page.mouse.click(list.x + list.width - 2, list.y + list.height / 2)
    expect(await zone.evaluate((element) => element === document.activeElement)).toBe(true)
    await options.first().waitFor()
    await page.keyboard.press('Tab')
    await options.first().waitFor({ state: 'detached' })
    const name = dialog.getByLabel('Name (optional)')
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test("an outgoing webhook's settings have no field for received requests until it accepts them", async () => {
    const { id } = await api.webhooks.create({
      name: 'Out',
      url: 'https://example.com/hook',
      receives: false,
    })
    const page = await visit(`/webhooks/${id}/settings`)
    await page.getByLabel('Endpoint URL').waitFor()
    const repetitions = page.getByLabel('Ignore repeated bodies for')
    expect(await repetitions.count()).toBe(0)
    await page.getByRole('switch', { name: 'Also accept requests' }).click()
    await repetitions.waitFor()
  })

  test('a canvas shows its own heading while loading, keeps a commented block in view, and presents without controls', async () => {
    const { projectId, path } = await createCanvas(e2e, ada, { name: 'Board' })
    const group = { projectId, type: 'group', title: 'Slide', x: 0, y: 0, width: 700, height: 400 } as const
    await api.canvas.create(group)
    const agent = { projectId, type: 'agent', title: 'Writer', content: 'Write', x: 30, y: 60 } as const
    await api.canvas.create(agent)
    const note = { projectId, type: 'note', title: 'Right', x: 1100, y: 60, width: 220, height: 160 } as const
    const right = await api.canvas.create(note)
    await api.comments.create({ target: `block:${right.id}`, projectId, body: 'Is this right?' })
    const page = await visit('/')
    await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/canvas-routes.*\.js/, async (route) => {
      await released
      await route.continue()
    })
    await page.evaluate((url) => history.pushState(null, '', url), path)
    await page.getByRole('heading', { name: 'Board' }).waitFor()
    await page.getByRole('status', { name: 'Loading canvas' }).waitFor()
    expect(await page.getByRole('heading', { name: /^Good \w+, Ada$/ }).count()).toBe(0)
    release()

    const { canvas, block } = canvasOf(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    const run = page.getByRole('button', { name: 'Run', exact: true })
    await run.waitFor()
    await canvas.focus()
    await page.keyboard.press('P')
    await page.getByRole('toolbar', { name: 'Presentation' }).waitFor()
    await run.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '1 open thread' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await run.waitFor()
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('button', { name: '1 open thread' }).click()
      const panel = page.getByRole('complementary', { name: 'Right' })
      await panel.getByText('Is this right?').waitFor()
      await expect.poll(() => isLeftOf(block('Right'), panel)).toBe(true)
      await page.getByRole('button', { name: 'Close panel' }).click()
    }
  })

  test('a lost connection is reported once', async () => {
    const { path } = await createCanvas(e2e, ada, { name: 'Offline' })
    const page = await visit(path)
    await canvasOf(page).canvas.waitFor()
    await page.context().setOffline(true)
    await page.getByText('reconnecting').waitFor()
    expect(await page.getByText('reconnecting').count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByText('reconnecting').waitFor({ state: 'detached' })
  })

  test('a file shows its type by name, and its actions in one line', async () => {
    await uploader(e2e.app, ada)('prices.csv', 'a,b\n1,2')
    const page = await visit('/files')
    await page.getByRole('button', { name: 'Actions for prices.csv' }).click()
    await page.getByRole('menuitem', { name: 'Details' }).click()
    const panel = page.getByRole('complementary', { name: 'prices.csv' })
    await panel.getByText('CSV table').waitFor()
    const tops = await Promise.all(
      ['View', 'Move', 'Delete', 'Actions for prices.csv'].map((name) => middleOf(panel, name)),
    )
    expect(new Set(tops).size).toBe(1)
  })
})

async function isLeftOf(left: Locator, right: Locator): Promise<boolean> {
  const [first, second] = await Promise.all([left.boundingBox(), right.boundingBox()])
  return first !== null && second !== null && first.x + first.width <= second.x
}

async function middleOf(panel: ReturnType<Page['locator']>, name: string): Promise<number> {
  const { y, height } = (await panel.getByRole('button', { name, exact: true }).boundingBox())!
  return Math.round(y + height / 2)
}
