import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { type Organization, PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn, typeInto } from './by-keyboard.ts'
import { inspectPage } from './inspect-page.ts'

const scriptedMessage = (...lines: string[]) => `Play\n\n\`\`\`script\n${lines.join('\n')}\n\`\`\``

const WIDE = { width: 1440, height: 900 }
const NOTE = { type: 'note', title: 'Roadmap', x: 0, y: 0, width: 200, height: 100 } as const

describe.skipIf(!CHROMIUM)('Chat', () => {
  const e2e = startE2e({ build: buildTestApp })
  let org: Organization
  let ada: Person
  let grace: Person
  let api: Client<Contract>
  let projectId: string
  let player: string
  let echo: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD })
    grace = await e2e.app.person(org, { name: 'Grace' })
    api = await e2e.app.withSession(ada)
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
    await page.getByRole('button', { name: /^Agent:/ }).click()
    await page.getByRole('menuitemradio', { name: 'Echo', exact: true }).click()
    await page.getByRole('button', { name: 'Agent: Echo' }).waitFor()
    const markdown = '![pixel](https://evil.example/p.png) and [docs](https://evil.example/docs)'
    await composer(page).fill(markdown)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const answer = log(page).getByRole('article', { name: 'Agent' })
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await answer.getByRole('link', { name: 'Open image: pixel (on evil.example)' }).waitFor()
    await answer.getByText('(evil.example)').first().waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.reload()
    await answer.getByRole('link', { name: 'docs' }).waitFor()
    await log(page).getByText(markdown).waitFor()
    await page.getByText('is a test model').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('New chat')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/new$/)
  })

  test('shows tool calls, queues a message while the agent works, stops, and survives a reload', async () => {
    const id = await start(
      scriptedMessage(
        'say Searching.',
        'call list_files {}',
        '---',
        'say First words',
        'wait 60000',
        'say never',
      ),
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const call = log(page).locator('details', { hasText: 'Looked through the files' })
    await call.locator('summary').click()
    await call.getByText(/\d+ m?s$/).waitFor()
    await call.getByText('list_files').waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await composer(page).fill('And one more thing')
    await page.keyboard.press('Enter')
    await log(page).getByText('Queued for the next step').waitFor()
    await page.reload()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('Queued for the next step').waitFor()
    await composer(page).press('Escape')
    await log(page).getByText('Stopped', { exact: true }).waitFor()
    await page.reload()
    await log(page).getByText('Stopped', { exact: true }).waitFor()
    expect(
      await log(page)
        .getByText(/cut off|Canceled|Interrupted/)
        .count(),
    ).toBe(0)
    await log(page).getByRole('button', { name: 'Continue' }).waitFor()
    await log(page).getByText('First words', { exact: true }).waitFor()
    await log(page).getByText('And one more thing').waitFor()
    expect(await log(page).getByText('never', { exact: true }).count()).toBe(0)
  })

  test('asks for approval, takes answers inline, and shows a second browser the same state', async () => {
    const careful = await api.agents.create({
      name: 'Careful',
      model: 'test/script',
      approvals: { list_files: 'ask' },
    })
    const id = await start(
      scriptedMessage(
        'call list_files {"query":"a"}',
        '---',
        'call ask_person {"question":"Which one?","choices":["Left","Right"]}',
        '---',
        'say You chose {{last}}',
      ),
      careful.id,
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const gracePage = await e2e.visit(`/chat/${id}`, { as: grace })
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await gracePage.getByRole('button', { name: 'Approve' }).waitFor()
    const cardOn = (tab: Page) => tab.getByRole('article', { name: 'Approval: List files' })
    // The call runs with the rights of Ada, who started the run.
    expect(await cardOn(gracePage).getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await inspectPage(page, 'chat-approval')
    await page.setViewportSize(WIDE)
    const card = cardOn(page)
    await card.getByRole('heading', { name: 'Wants to search the files for a' }).waitFor()
    await pressOn(page, card.getByRole('button', { name: 'Edit' }))
    await card.getByRole('textbox', { name: 'Input for list_files' }).waitFor()
    await page.keyboard.press('Escape')
    await card.getByRole('textbox').waitFor({ state: 'detached' })
    // Escape closed the editor, which leaves the run waiting; further ones change nothing.
    for (const control of [card.getByRole('button', { name: 'Edit' }), composer(page)]) {
      await control.focus()
      await page.keyboard.press('Escape')
    }
    expect((await api.agentRuns.list({ sessionId: id })).items).toMatchObject([
      { status: 'waiting', cancelRequestedAt: null },
    ])
    await pressOn(page, card.getByRole('button', { name: 'Edit' }))
    await card.getByRole('textbox').fill('{"query":')
    await card.getByText('isn’t valid JSON').waitFor()
    expect(await card.getByRole('button', { name: 'Approve edited call' }).isDisabled()).toBe(true)
    await typeInto(page, card.getByRole('textbox', { name: 'Input for list_files' }), '{"query":"edited"}')
    await pressOn(page, card.getByRole('button', { name: 'Approve edited call' }))
    await log(gracePage).getByText('Searched the files for edited').waitFor()
    const question = gracePage.getByRole('region', { name: 'Question: Which one?' })
    await pressOn(gracePage, question.getByRole('button', { name: 'Right' }))
    const answer = (tab: Page) => log(tab).getByRole('article', { name: 'Agent' }).getByText('You chose')
    await answer(page).filter({ hasText: 'Right' }).waitFor()
    await answer(gracePage).filter({ hasText: 'Right' }).waitFor()
  })

  test('offers a member no approval for an owner’s call, not even while their permissions load', async () => {
    const owner = await e2e.app.withSession(await e2e.app.person(org, { name: 'Olga', role: 'owner' }))
    const agent = await owner.agents.create({
      name: 'Owned',
      model: 'test/script',
      approvals: { list_files: 'ask' },
    })
    const message = { content: scriptedMessage('call list_files {"query":"a"}') }
    const { id } = await owner.sessions.create({ projectId, agentId: agent.id, message })
    const page = await e2e.visit('/chat', { as: ada })
    const rights = Promise.withResolvers<void>()
    await page.route(/\/approvals\/[0-9a-f-]{36}$/, async (route) => {
      await rights.promise
      await route.continue()
    })
    await page.goto(`/chat/${id}`)
    const card = page.getByRole('article', { name: 'Approval: List files' })
    await card.getByText('search the files for').waitFor()
    expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    rights.resolve()
    await card.getByText('you can only deny it').waitFor()
    expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  })

  test('attaches a dropped file and a mentioned block, and branches from an edited message', async () => {
    const { id: blockId } = await api.canvas.create({ projectId, ...NOTE })
    const id = (await api.sessions.create({ projectId, agentId: echo })).id
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const file = { name: 'figures.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }
    await page.getByLabel('Files to attach').setInputFiles([file])
    await composer(page).pressSequentially('See @Road')
    await page.getByRole('option', { name: /Roadmap/ }).waitFor()
    // A slow machine draws its next frame after the user has typed further characters.
    await page.evaluate(() => {
      const nextFrame = window.requestAnimationFrame.bind(window)
      window.requestAnimationFrame = (callback) =>
        nextFrame(() => setTimeout(callback, 200, performance.now()))
    })
    await page.keyboard.press('Enter')
    await page.keyboard.type('now', { delay: 100 })
    await page.getByRole('button', { name: 'Send message' }).click()
    const first = log(page).getByRole('article', { name: 'Message' })
    await first.getByText('figures.csv').waitFor()
    await first.getByText('Roadmap', { exact: true }).waitFor()
    const { items } = await api.sessions.messages({ id })
    const message = items.find(({ role }) => role === 'user')!
    expect(message.text).toBe('See @Roadmap now')
    expect(JSON.stringify(message.content)).toContain(blockId)

    await log(page).getByRole('article', { name: 'Agent' }).waitFor()
    await expect.poll(async () => (await api.sessions.get({ id })).activeRunId).toBe(null)
    await composer(page).press('ArrowUp')
    await page.getByRole('textbox', { name: 'Edited message' }).fill('Another way')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await log(page).getByRole('article', { name: 'Agent' }).getByText('Another way').waitFor()
    await log(page).getByText('figures.csv', { exact: true }).waitFor()
    await page.getByText('Branched from').getByRole('button').click()
    await page.waitForURL((url) => url.pathname.endsWith(id))
    await log(page).getByRole('button', { name: 'Next version' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
  })

  test('starts in the last used project, and says when nothing matches a mention', async () => {
    const older = await e2e.app.project(ada, { name: 'Older project' })
    await e2e.app.project(ada, { name: 'Newest project' })
    const session = await api.sessions.create({ projectId: older.id, agentId: echo })
    const page = await e2e.visit(`/chat/${session.id}`, { as: ada })
    await composer(page).pressSequentially('See @nothing-like-it')
    await page.getByText('Nothing matches “nothing-like-it”').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Nothing matches').waitFor({ state: 'detached' })
    await page.goto('/chat/new')
    await page.getByRole('button', { name: 'Project: Older project' }).waitFor()
  })

  test("lists one project's conversations from the project's tabs, until it's asked for all", async () => {
    const { id } = await e2e.app.project(ada, { name: 'Garden plan' })
    for (const [project, title] of [
      [id, 'Which seeds first'],
      [projectId, 'Somewhere else'],
    ] as const)
      await api.sessions.create({ projectId: project, agentId: echo, title })
    const page = await e2e.visit(`/projects/${id}`, { as: ada })
    const tabs = page.getByRole('navigation', { name: 'Project', exact: true })
    await tabs.getByRole('link', { name: 'Files' }).press('Enter')
    await page.getByRole('heading', { name: 'Garden plan' }).waitFor()
    await tabs.getByRole('link', { name: 'Chat' }).press('Enter')
    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('link', { name: /Which seeds first/ }).waitFor()
    expect(await list.getByRole('link', { name: /Somewhere else/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Project: Garden plan' }).waitFor()
    await list.getByRole('link', { name: /Which seeds first/ }).click()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}\?in=/)
    await page.getByRole('link', { name: 'Show the chats of all projects' }).click()
    await list.getByRole('link', { name: /Somewhere else/ }).waitFor()
    await page.goto(`/projects/${id}`)
    await page.setViewportSize({ width: 900, height: 800 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Runs' }).click()
    await page.waitForURL((url) => url.pathname === '/runs' && url.searchParams.get('project') === id)
  })

  test('is found by its text, renamed, ended, reopened and deleted, even while a member has it open', async () => {
    const id = await start('An unmistakable zebrafish', echo)
    const page = await e2e.visit('/chat', { as: ada })
    const gracePage = await e2e.visit(`/chat/${id}`, { as: grace })
    await log(gracePage).getByRole('article', { name: 'Agent' }).getByText('zebrafish').waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('zebrafish')
    await page.getByRole('link', { name: /zebrafish/ }).click()
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Conversation actions' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Rename')
    await page.getByRole('textbox', { name: 'Title' }).fill('Fish')
    await page.keyboard.press('Enter')
    await gracePage.getByRole('heading', { name: 'Fish', exact: true }).waitFor()
    await expect.poll(() => gracePage.title()).toBe('Fish · Atrium')
    await choose('End')
    await gracePage.getByText('This conversation has ended.').waitFor()
    expect(await composer(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Reopen' }).click()
    await composer(page).waitFor()
    await choose('Delete conversation')
    await page.getByRole('button', { name: 'Delete conversation' }).click()
    await page.waitForURL(/\/chat$/)
    await gracePage.getByText('This conversation was deleted, or you lost access.').waitFor()
  })

  test('interrupts the agent, asks a message again in a branch, measures the context, and exports', async () => {
    const id = await start(scriptedMessage('say First words', 'wait 60000'))
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    await log(page).getByText('First words', { exact: true }).waitFor()
    await composer(page).fill(scriptedMessage('say Second answer'))
    await page.getByRole('button', { name: 'Interrupt' }).click()
    const answer = (text: string) =>
      log(page).getByRole('article', { name: 'Agent' }).getByText(text, { exact: true })
    await answer('Second answer').waitFor()
    await page.reload()
    await answer('First words').waitFor()
    await answer('Second answer').waitFor()
    await page.getByRole('progressbar', { name: 'Context window usage' }).waitFor()

    const download = async (name: string) => {
      await page.getByRole('button', { name: 'Conversation actions' }).click()
      const started = page.waitForEvent('download')
      await page.getByRole('menuitem', { name }).click()
      return readFile(await (await started).path(), 'utf8')
    }
    expect(await download('Export as Markdown')).toMatch(/^First words$[\s\S]*^Second answer$/m)
    const exported: { messages: { role: string; text: string }[] } = JSON.parse(
      await download('Export as JSON'),
    )
    const answers = exported.messages.filter(({ role }) => role === 'assistant')
    expect(answers.map(({ text }) => text)).toEqual(['First words', 'Second answer'])

    await log(page).getByRole('button', { name: 'Regenerate in a branch' }).last().click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await answer('Second answer').waitFor()
    await page.getByText('Branched from').waitFor()
  })

  test('shows an interrupted attempt, which is collapsed after a reload', async () => {
    const { id: agentId } = await api.agents.create({
      name: 'Falls back',
      model: 'test/script',
      fallbackModels: ['test/echo'],
    })
    const id = await start(scriptedMessage('say Half an answer', 'fail 400'), agentId)
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    const cutOff = log(page).locator('details', { hasText: 'The model failed during this reply' })
    await cutOff.waitFor()
    await expect.poll(async () => (await api.sessions.get({ id })).activeRunId).toBe(null)
    // Simulates a page that read the runs before the attempt failed, and opened the stream after the end of the run.
    const beforeFailure = async (route: Route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll('"cutOffAttempts":1', '"cutOffAttempts":0')
      await route.fulfill({ response, body })
    }
    await page.route(/\/runs\?.*sessionId=/, beforeFailure, { times: 1 })
    await page.reload()
    await cutOff.waitFor()
    expect(await cutOff.getByText('Half an answer').isVisible()).toBe(false)
    await cutOff.locator('summary').click()
    await cutOff.getByText('Half an answer').waitFor()
  })

  test("lists a conversation's members, adds one after step-up, and lets them leave", async () => {
    const id = await start('Hello', echo)
    const page = await e2e.visit(`/chat/${id}`, { as: ada, steppedUp: false })
    await page.getByRole('button', { name: 'Participants: 1' }).click()
    const people = page.getByRole('dialog', { name: 'Participants' })
    await people.getByText('Creator').waitFor()
    await inspectPage(page, 'chat-people')
    await page.setViewportSize(WIDE)
    await people.getByLabel('Add member').selectOption('Grace')
    await people.getByRole('button', { name: 'Add', exact: true }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await people.getByRole('button', { name: 'Remove Grace' }).waitFor()
    const gracePage = await e2e.visit(`/chat/${id}?people=all`, { as: grace })
    await gracePage.getByRole('button', { name: 'Leave conversation' }).click()
    await people.getByRole('button', { name: 'Remove Grace' }).waitFor({ state: 'detached' })
  })

  test('shows what an answer changed, undoes it, and keeps a rating with its reason', async () => {
    const note = { type: 'note', title: 'Fleeting' }
    const id = await start(
      scriptedMessage(
        'call list_files {}',
        `call edit_canvas ${JSON.stringify({ create: [note, note] })}`,
        '---',
        'say Two notes are there.',
      ),
    )
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    await log(page).getByText('Added 2 notes to the canvas').waitFor()
    await log(page).getByRole('link', { name: '2 blocks' }).waitFor()
    await inspectPage(page, 'chat-answer')
    await page.setViewportSize(WIDE)
    await log(page).getByRole('button', { name: 'Bad answer' }).click()
    await log(page).getByRole('textbox', { name: 'What was wrong?' }).fill('Too many')
    await page.keyboard.press('Enter')
    const rated = async () =>
      (await api.sessions.messages({ id })).items.flatMap(({ rating }) => (rating ? [rating] : []))
    await expect.poll(rated).toMatchObject([{ rating: 'down', comment: 'Too many' }])
    await page.reload()
    const thumb = log(page).getByRole('button', { name: 'Bad answer' })
    await expect.poll(() => thumb.getAttribute('aria-pressed')).toBe('true')
    await thumb.click()
    await expect.poll(rated).toEqual([])

    await log(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo changes' }).click()
    await log(page).getByText('undone').waitFor()
    const { items } = await api.canvas.list({ projectId })
    expect(items.map(({ title }) => title)).not.toContain('Fleeting')
  })

  test('uses another model for a conversation, and shows how a provider failed', async () => {
    const id = (await api.sessions.create({ projectId, agentId: echo, model: 'test/script' })).id
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    await page.getByRole('button', { name: /^Model: .*Script/ }).click()
    await page.getByRole('menuitemradio', { name: /^Agent’s model/ }).click()
    await expect.poll(async () => (await api.sessions.get({ id })).model).toBe(null)
    await api.sessions.update({ id, model: 'test/script' })
    await composer(page).fill(scriptedMessage('fail 529'))
    await page.keyboard.press('Enter')
    const failure = log(page).getByRole('status').filter({ hasText: 'HTTP 529' })
    await failure.getByText('The script fails with status 529').waitFor()
    await failure.getByText(/Attempt 1 of \d+ failed/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await log(page).getByText('Stopped', { exact: true }).waitFor()
  })

  test('offers agents and members after @, and actions after /', async () => {
    const id = (await api.sessions.create({ projectId, agentId: echo })).id
    const page = await e2e.visit(`/chat/${id}`, { as: ada })
    await composer(page).pressSequentially('@Playe')
    await page.getByRole('option', { name: /Player/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await composer(page).inputValue()).toBe('@Player ')
    await composer(page).fill('')
    await composer(page).pressSequentially('/new')
    await page.getByRole('option', { name: /New chat/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chat\/new$/)
  })

  test('lets a viewer read but not write', async () => {
    const id = await start('Hello', echo)
    await e2e.app.sql`update workspace_members set role = 'viewer' where user_id = ${grace.id}`
    const page = await e2e.visit(`/chat/${id}`, { as: grace })
    await page.getByText('You can read this conversation but not write in it.').waitFor()
    expect(await composer(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Edit in a branch' }).count()).toBe(0)
  })
})
