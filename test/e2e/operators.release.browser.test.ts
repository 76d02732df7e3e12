import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'

describe.skipIf(!CHROMIUM)('operators', () => {
  const e2e = startE2e({ build: buildTestApp })
  type Operator = Awaited<ReturnType<typeof e2e.app.operator>>
  let grace: Operator
  let ids: string[]

  beforeEach(async () => {
    await e2e.app.sql`truncate feedback, graphile_worker._private_jobs cascade`
    grace = await e2e.app.operator({ name: 'Grace' })
    const { client } = await e2e.app.newUser({ name: 'Ada' })
    ids = []
    for (const message of ['The third', 'The second', 'The first']) {
      ids.unshift((await client.feedback.submit({ message })).id)
    }
  })

  const queue = (path = '') => e2e.visit(`/operate/feedback${path}`, { as: grace.person })
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name, exact: true })
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Submission' })
  const inspect = (id: string) => grace.client.feedback.inspect({ id })

  test("see every organization's feedback, by status and with counts", async () => {
    await grace.client.feedback.handle({ id: ids[0]!, status: 'declined' })
    const page = await queue()
    for (const name of ['All 3', 'Open 2', 'Triaged 0', 'Declined 1']) await tab(page, name).waitFor()
    await tab(page, 'Declined 1').click()
    const shown = () => page.getByRole('table').getByRole('link').allTextContents()
    await expect.poll(shown).toEqual(['The first'])
    expect(page.url()).toMatch(/\?status=declined$/)
    await tab(page, 'Triaged 0').click()
    await page.getByRole('heading', { name: 'No triaged feedback' }).waitFor()
  })

  test('navigate the queue with J, K and Enter, and return to the row with Escape', async () => {
    const page = await queue()
    await page.getByRole('link', { name: 'The first' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => focusedText(page)).toBe('The second')
    await page.keyboard.press('k')
    await expect.poll(() => focusedText(page)).toBe('The first')
    await page.keyboard.press('Enter')
    await panel(page).getByText('The first').waitFor()
    await page.keyboard.press('j')
    await panel(page).getByText('The second').waitFor()
    expect(page.url()).toContain(ids[1]!)
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(() => focusedText(page)).toBe('The second')
  })

  test('change the status optimistically, and undo it', async () => {
    const page = await queue(`/${ids[0]}`)
    await panel(page).getByRole('button', { name: 'Change to Triaged' }).click()
    await tab(page, 'Open 2').waitFor()
    await tab(page, 'Triaged 1').waitFor()
    await expect.poll(async () => (await inspect(ids[0]!)).status).toBe('triaged')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Status changed back to Open').waitFor()
    await tab(page, 'Open 3').waitFor()
    expect((await inspect(ids[0]!)).status).toBe('open')
    await panel(page)
      .getByText(/changed the status from Triaged to/)
      .waitFor()
  })

  test('enter the task ID when they link feedback, and leave an internal note', async () => {
    const page = await queue(`/${ids[1]}`)
    await panel(page).getByLabel('New status').selectOption('Linked')
    await panel(page)
      .getByLabel(/Internal note/)
      .fill('Same as last week')
    await panel(page).getByRole('button', { name: 'Change to Linked' }).click()
    await expect.poll(() => focusedLabel(page)).toBe('Task ID')
    expect((await inspect(ids[1]!)).status).toBe('open')
    await page.keyboard.type('ENG-1042')
    await page.keyboard.press('Enter')
    await panel(page).getByText('Same as last week').waitFor()
    await panel(page).getByText('Planned').waitFor()
    expect(await inspect(ids[1]!)).toMatchObject({ status: 'linked', taskId: 'ENG-1042' })
  })

  test('see failed jobs with their error, retry and discard them', async () => {
    await makeDeadJob('mail.send', 'connect ECONNREFUSED 127.0.0.1:25\n    at somewhere')
    await makeDeadJob('feedback.notify', 'no recipient')
    const page = await e2e.visit('/operate/jobs', { as: grace.person })
    const row = (task: string) => page.getByRole('row', { name: new RegExp(`Failed ${task}`) })
    await row('mail.send').getByText('3 of 3').waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => focusedText(page)).toMatch(/^[a-z]+\.[a-z-]+/)
    await row('mail.send').getByText('connect ECONNREFUSED 127.0.0.1:25').first().click()
    await page.getByText('at somewhere').waitFor()
    await row('mail.send').getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Retrying mail.send').waitFor()
    await row('mail.send').waitFor({ state: 'detached' })
    expect(await statesOf('mail.send')).toEqual(['waiting'])

    await row('feedback.notify').getByRole('button', { name: 'Discard' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Discard job' })
    await confirmation.getByLabel('Type “feedback.notify” to confirm').fill('feedback.notify')
    await confirmation.getByRole('button', { name: 'Discard job' }).click()
    await page.getByText('Discarded feedback.notify').waitFor()
    await row('feedback.notify').waitFor({ state: 'detached' })
    expect(await statesOf('feedback.notify')).not.toContain('dead')
  })

  test('have exclusive access: other users see an explanation and no data', async () => {
    const { person } = await e2e.app.newUser()
    for (const path of [
      '/operate/feedback',
      `/operate/feedback/${ids[0]}`,
      '/operate/jobs',
      '/operate/health',
    ]) {
      const page = await e2e.visit(path, { as: person })
      await page.getByRole('heading', { name: 'Operators only' }).waitFor()
      expect(await page.content()).not.toContain('The first')
      expect(await page.getByRole('link', { name: 'Feedback queue' }).count()).toBe(0)
    }
  })

  async function makeDeadJob(task: string, error: string) {
    const [job] = await e2e.app.sql<{ id: number }[]>`
      select id from graphile_worker.add_job(${task}, '{}'::json, max_attempts => 3)`
    await e2e.app.sql`
      update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${error}
      where id = ${job!.id}`
  }

  async function statesOf(task: string) {
    const { items } = await grace.client.operations.jobs()
    return items.filter((job) => job.task === task).map(({ state }) => state)
  }
})

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

const focusedLabel = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent)
