import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { createPng } from '../../server/testing/factories/pictures.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const PICTURE = createPng({ width: 400, height: 300 }).toString('base64')

describe.skipIf(!CHROMIUM)('Images in chat', () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', password: PASSWORD })
    const api = await e2e.app.withSession(ada)
    await e2e.app.project(ada)
    await api.agents.create({ name: 'Echo', model: 'test/echo' })
  })

  /** As a screenshot arrives from the clipboard, or a file from the desktop. */
  const give = (page: Page, how: 'paste' | 'drop', name: string) =>
    page.getByRole('textbox', { name: 'Message' }).evaluate(
      (area, { bytes, type, fileName }) => {
        const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([content], fileName, { type: 'image/png' }))
        const options = { bubbles: true, cancelable: true }
        area.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data }),
        )
      },
      { bytes: PICTURE, type: how, fileName: name },
    )

  test.each([1440, 390])('shows pasted and dropped ones as thumbnails at %i pixels', async (width) => {
    const page = await e2e.visit('/chat/new', { as: ada })
    await page.setViewportSize({ width, height: 900 })
    const drafts = page.getByRole('list', { name: 'Attachments' })
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    await give(page, 'paste', 'screenshot.png')
    await drafts.getByText('screenshot.png').waitFor()
    await give(page, 'drop', 'photo.png')
    await drafts.getByText('photo.png').waitFor()
    expect(await drafts.locator('img').count()).toBe(2)
    await page.getByRole('textbox', { name: 'Message' }).fill('What is this?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const message = page.getByRole('article', { name: 'Message' })
    for (const name of ['screenshot.png', 'photo.png']) {
      const image = message.getByRole('img', { name })
      await image.waitFor()
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(400)
      expect(await image.getAttribute('src')).toMatch(/\/thumbnail\?version=1&size=640$/)
    }
    await message.getByRole('link', { name: 'photo.png' }).click()
    await page.waitForURL(/\/files\?.*view=/)
  })

  test('stay attached in a new chat that remembers its project', async () => {
    const page = await e2e.visit('/chat/new', { as: ada })
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('Hello')
    await page.getByRole('button', { name: 'Send message' }).click()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    await box.waitFor()
    await page.goto('/chat/new')
    await page.getByRole('button', { name: /^Project:/ }).waitFor()
    const uploaded = page.waitForResponse((response) => /\/api\/v1\/files$/.test(response.url()))
    await give(page, 'paste', 'later.png')
    expect((await uploaded).status()).toBe(201)
    const drafts = page.getByRole('list', { name: 'Attachments' })
    await drafts.getByText('later.png').waitFor({ timeout: 5000 })
  })
})
