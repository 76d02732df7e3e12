import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn, typeInto } from './by-keyboard.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Comments', () => {
  const e2e = startE2e()
  let ada: Person
  let bob: Person
  let project: { id: string }
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    bob = await e2e.app.person(org, { name: 'Bob Vogel' })
    project = await e2e.app.project(ada, { name: 'Apollo' })
    const api = await e2e.app.withSession(ada)
    await api.canvas.create({
      projectId: project.id,
      type: 'note',
      title: 'Plan',
      content: 'Buy paper',
      x: 0,
      y: 0,
    })
  })

  test('keep the filter of the inbox in its address', async () => {
    const page = await e2e.visit('/inbox', { as: ada })
    await page.getByLabel('Type', { exact: true }).selectOption('Replies')
    await page.getByText('Unread', { exact: true }).click()
    await page.waitForURL(/kind=reply/)
    await page.waitForURL(/show=unread/)
    await page.reload()
    await expect.poll(() => page.getByLabel('Type', { exact: true }).inputValue()).toBe('reply')
    expect(await page.getByRole('radio', { name: 'Unread' }).isChecked()).toBe(true)
  })

  test('mention a member on a block, who replies and resolves from the inbox; guests comment too, all by keyboard', async () => {
    const page = await e2e.visit(`/projects/${project.id}`, { as: ada })
    const canvas = page.getByRole('application', { name: 'Canvas: Apollo' })
    await canvas.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('c')
    const panel = page.getByRole('complementary', { name: 'Plan' })
    const field = panel.getByRole('textbox', { name: 'Comment' })
    await field.pressSequentially('Please check, @vog')
    await panel.getByRole('option', { name: 'Bob Vogel' }).waitFor()
    await page.keyboard.press('Enter')
    await field.pressSequentially('**today**')
    await page.keyboard.press('Control+Enter')
    await panel.getByText('@Bob Vogel').waitFor()
    await canvas.getByRole('button', { name: '1 open thread' }).waitFor()
    await inspectPage(page, 'comments-canvas')
    await page.setViewportSize({ width: 1440, height: 900 })

    const bobPage = await e2e.visit('/inbox', { as: bob })
    await bobPage.getByRole('link', { name: /Inbox\s*1 waiting for you/ }).waitFor()
    await bobPage.getByRole('region', { name: 'Today' }).getByRole('listitem').waitFor()
    await inspectPage(bobPage, 'inbox')
    await bobPage.setViewportSize({ width: 1440, height: 900 })
    await bobPage.keyboard.press('j')
    await bobPage.keyboard.press('Enter')
    const thread = bobPage.getByRole('complementary', { name: 'Plan' })
    await thread.getByText('@Bob Vogel').waitFor()
    await bobPage.getByRole('link', { name: /Inbox$/ }).waitFor()
    await pressOn(bobPage, thread.getByRole('button', { name: 'Reply' }))
    await typeInto(bobPage, thread.getByRole('textbox', { name: 'Reply' }), 'Done')
    await bobPage.keyboard.press('Control+Enter')
    // The reply appears live on the open canvas of the author.
    await panel.getByRole('article', { name: 'Comment by Bob Vogel' }).getByText('Done').waitFor()
    await pressOn(bobPage, thread.getByRole('button', { name: 'Resolve' }))
    await thread.getByText('No open threads').waitFor()
    await expect.poll(() => canvas.getByRole('button', { name: '1 open thread' }).count()).toBe(0)

    const api = await e2e.app.withSession(ada)
    const { url } = await api.sharing.share({ projectId: project.id, access: 'comment' })
    const guest = await e2e.visit(new URL(url!).pathname)
    await guest.getByText('Can comment').waitFor()
    await guest.getByText('Buy paper').waitFor()
    await guest.getByRole('application', { name: 'Canvas: Apollo' }).focus()
    await guest.keyboard.press('Tab')
    await guest.keyboard.press('c')
    const guestPanel = guest.getByRole('complementary', { name: 'Plan' })
    await typeInto(guest, guestPanel.getByLabel('Your name', { exact: true }), 'Grace')
    await typeInto(guest, guestPanel.getByRole('textbox', { name: 'Comment' }), 'Looks good')
    await pressOn(guest, guestPanel.getByRole('button', { name: 'Comment', exact: true }))
    await panel
      .getByRole('article', { name: 'Comment by Grace' })
      .getByText('guest', { exact: true })
      .waitFor()
  })

  test('appear beside a run, and the settings select the kinds that are emailed', async () => {
    const api = await e2e.app.withSession(ada)
    const { id: agentId } = await api.agents.create({ name: 'Echo', model: 'test/echo' })
    const message = { content: 'Research' }
    const { run } = await api.sessions.create({ projectId: project.id, agentId, message })
    const page = await e2e.visit(`/runs/${run!.id}`, { as: ada })
    await page.getByRole('textbox', { name: 'Comment' }).fill('Which sources?')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('article', { name: 'Comment by Ada Lovelace' }).getByText('Which sources?').waitFor()
    await page.goto('/settings/notifications')
    const choice = page.getByLabel('Channel for replies')
    await choice.selectOption('Off')
    await page.getByText('Saved').waitFor()
    await inspectPage(page, 'settings-notifications')
    expect((await api.notifications.settings()).channels).toMatchObject({ reply: 'off' })
  })
})
