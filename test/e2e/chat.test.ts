import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const scripted = (...lines: string[]) => `Play\n\n\`\`\`script\n${lines.join('\n')}\n\`\`\``

const WIDE = { width: 1440, height: 900 }
const NOTE = { type: 'note', title: 'Roadmap', x: 0, y: 0, width: 200, height: 100 } as const

describe.skipIf(!CHROMIUM)('Chat', () => {
  const e2e = startE2e()
  let ada: Person
  let grace: Person
  let api: Client<Contract>
  let projectId: string
  let player: string
  let echo: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada' })
    grace = await e2e.app.person(org, { name: 'Grace' })
    api = await e2e.app.inBrowser(ada)
    projectId = (await e2e.app.project(ada)).id
    echo = (await api.agents.create({ name: 'Echo', model: 'test/echo' })).id
    player = (await api.agents.create({ name: 'Player', model: 'test/script' })).id
  })

  const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const start = async (content: string, agentId = player) =>
    (await api.sessions.create({ projectId, agentId, message: { content } })).id

  test('starts a conversation from the first screen, answers with Markdown, and loads no image', async () => {
    const page = await e2e.visit('/chat/new', { as: ada })
    await page.getByRole('button', { name: 'Ask me a question first' }).waitFor()
    await inspectPage(page, 'chat-new')
    await page.setViewportSize(WIDE)
    await page.getByRole('combobox', { name: 'Agent' }).selectOption({ value: echo })
    const told = '![pixel](https://evil.example/p.png) and [docs](https://evil.example/docs)'
    await composer(page).fill(told)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const answer = log(page).getByRole('article', { name: 'Agent' })
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await answer.getByText('(evil.example)').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.reload()
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await log(page).getByText(told).waitFor()
    await page.getByText('is a test model').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search pages and actions' }).fill('New chat')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/new$/)
  })

  test('shows tool calls, queues a message while the agent works, stops, and keeps everything over a reload', async () => {
    const id = await start(
      scripted('say Searching.', 'call list_files {}', '---', 'say First words', 'wait 60000', 'say never'),
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const call = log(page).locator('details', { hasText: 'List files' })
    await call.getByText(/\d+ m?s$/).waitFor()
    await call.locator('summary').click()
    await call.getByText('list_files').waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await composer(page).fill('And one more thing')
    await page.keyboard.press('Enter')
    await log(page).getByText('Queued: joins at the next step').waitFor()
    await page.reload()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('Queued: joins at the next step').waitFor()
    await composer(page).press('Escape')
    await log(page).getByText('Stopped.').waitFor()
    await page.reload()
    await log(page).getByText('Stopped.').waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('And one more thing').waitFor()
    expect(await log(page).getByText('never', { exact: true }).count()).toBe(0)
  })

  test('asks for approval and answers inline, and shows a second browser the same', async () => {
    const careful = await api.agents.create({
      name: 'Careful',
      model: 'test/script',
      approvals: { list_files: 'ask' },
    })
    const id = await start(
      scripted(
        'call list_files {"query":"a"}',
        '---',
        'call ask_person {"question":"Which one?","choices":["Left","Right"]}',
        '---',
        'say You chose {{last}}',
      ),
      careful.id,
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const other = await e2e.visit(`/chat/${id}`, { as: grace })
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await inspectPage(page, 'chat-approval')
    await page.setViewportSize(WIDE)
    const card = page.getByRole('region', { name: 'Approval: Use list_files' })
    await card.getByRole('button', { name: 'Edit' }).click()
    await card.getByRole('textbox', { name: 'Input of the call as JSON' }).fill('{"query":"edited"}')
    await card.getByRole('button', { name: 'Approve the edited call' }).click()
    await log(other).locator('details', { hasText: 'List files' }).getByText('edited').waitFor()
    const question = other.getByRole('region', { name: 'Question: Which one?' })
    await question.getByRole('button', { name: 'Right' }).click()
    const answer = (tab: Page) => log(tab).getByRole('article', { name: 'Agent' }).getByText('You chose')
    await answer(page).filter({ hasText: 'Right' }).waitFor()
    await answer(other).filter({ hasText: 'Right' }).waitFor()
  })

  test('attaches a dropped file and a mentioned block, and branches from an edited message', async () => {
    const { id: blockId } = await api.canvas.create({ projectId, ...NOTE })
    const id = (await api.sessions.create({ projectId, agentId: echo })).id
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const file = { name: 'figures.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }
    await page.getByLabel('Files to attach').setInputFiles([file])
    await composer(page).pressSequentially('See @Road')
    await page.getByRole('option', { name: /Roadmap/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('now')
    await page.getByRole('button', { name: 'Send message' }).click()
    const first = log(page).getByRole('article', { name: 'Message' })
    await first.getByText('figures.csv').waitFor()
    await first.getByText('Roadmap', { exact: true }).waitFor()
    const { items } = await api.sessions.messages({ id })
    const sent = items.find(({ role }) => role === 'user')!
    expect(sent.text).toBe('See @Roadmap now')
    expect(JSON.stringify(sent.content)).toContain(blockId)

    await log(page).getByRole('article', { name: 'Agent' }).waitFor()
    await expect.poll(async () => (await api.sessions.get({ id })).activeRunId).toBe(null)
    await composer(page).press('ArrowUp')
    await page.getByRole('textbox', { name: 'Edited message' }).fill('Another way')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await log(page).getByRole('article', { name: 'Agent' }).getByText('Another way').waitFor()
    await log(page).getByText('figures.csv', { exact: true }).waitFor()
    await page.getByText('Branch of').getByRole('button').click()
    await page.waitForURL((url) => url.pathname.endsWith(id))
    await log(page).getByRole('button', { name: '1 branch' }).click()
    await page.getByRole('menuitem').click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
  })

  test('is found by its text, renamed, ended, reopened and deleted, also for a member who has it open', async () => {
    const id = await start('An unmistakable zebrafish', echo)
    const page = await e2e.visit('/chat', { as: ada })
    const other = await e2e.visit(`/chat/${id}`, { as: grace })
    await log(other).getByRole('article', { name: 'Agent' }).getByText('zebrafish').waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('zebrafish')
    await page.getByRole('link', { name: /zebrafish/ }).click()
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Actions for this conversation' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Rename')
    await page.getByRole('textbox', { name: 'Title' }).fill('Fish')
    await page.keyboard.press('Enter')
    await other.getByRole('heading', { name: 'Fish', exact: true }).waitFor()
    await choose('End')
    await other.getByText('This conversation has ended.').waitFor()
    expect(await composer(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Reopen' }).click()
    await composer(page).waitFor()
    await choose('Delete')
    await page.getByLabel('Type “delete” to confirm').fill('delete')
    await page.getByRole('button', { name: 'Delete conversation' }).click()
    await page.waitForURL(/\/chat$/)
    await other.getByText('The conversation was deleted, or you no longer have access').waitFor()
  })

  test('lets a viewer read, and no more', async () => {
    const id = await start('Hello', echo)
    await e2e.app.sql`update workspace_members set role = 'viewer' where user_id = ${grace.id}`
    const page = await e2e.visit(`/chat/${id}`, { as: grace })
    await page.getByText('You can read this conversation, but not write in it.').waitFor()
    expect(await composer(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Edit in a branch' }).count()).toBe(0)
  })
})
