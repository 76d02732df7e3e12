import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp, cookie } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pdfOf } from './drawn-files.ts'
import { inspectPage } from './inspect-page.ts'
import { uploader } from './stored-files.ts'

const PAGES = 200
const CITED = 137
const FACT = 'The violet valve opens at ninety bar'
const QUESTION = 'When does the violet valve open?'

describe.skipIf(!CHROMIUM)('citations', () => {
  const e2e = startE2e({ build: buildTestApp, expectsDisconnects: true })
  let ada: Person
  let api: Client<Contract>
  let projectId: string
  let agentId: string
  let pdf: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
    api = await e2e.app.withSession(ada)
    const project = await api.projects.get({ id: (await e2e.app.project(ada)).id })
    projectId = project.id
    const folderId = project.folderId!
    agentId = (await api.agents.create({ name: 'Reader', model: 'test/script' })).id
    const pages = Array.from({ length: PAGES }, (_, index) =>
      index + 1 === CITED ? FACT : `Chapter ${index + 1} is about pumps`,
    )
    pdf = (await uploader(e2e.app, ada)('manual.pdf', pdfOf(pages), folderId)).id
  })

  async function ask(page: Page): Promise<void> {
    const find = async () => (await api.passages.search({ q: QUESTION, within: pdf })).items[0]
    await expect.poll(find, { timeout: 60_000 }).toBeDefined()
    const { key, page: number } = (await find())!
    expect(number).toBe(CITED)
    const search = `call search_knowledge ${JSON.stringify({ queries: [QUESTION] })}`
    const lines = [search, '---', `say At ninety bar [${key}], and not before [k9zzzz].`]
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill(`${QUESTION}\n\n\`\`\`script\n${lines.join('\n')}\n\`\`\``)
    await page.keyboard.press('Enter')
  }
  const mark = (page: Page) =>
    page
      .getByRole('log', { name: 'Conversation' })
      .getByRole('button', { name: /^Source 1: / })
      .first()
  const viewer = (page: Page) => page.getByRole('dialog', { name: 'Source: manual.pdf' })

  test('lead from an answer about a PDF of 200 pages to the marked passage', async () => {
    const session = await api.sessions.create({ projectId, agentId })
    const page = await e2e.visit(`/chat/${session.id}`, { as: ada })
    await ask(page)
    await mark(page).waitFor()
    const answer = page.getByRole('article', { name: 'Agent' }).last()
    await answer.getByText('At ninety bar').waitFor()
    expect(await answer.textContent()).toMatch(/At ninety bar\s*1, and not before\./)
    await mark(page).hover()
    const card = page.getByRole('dialog', { name: 'Source 1' })
    await card.getByText(`Page ${CITED}`).waitFor()
    await card.getByText(FACT).waitFor()
    await page.mouse.move(0, 0)
    await card.waitFor({ state: 'detached' })
    await inspectPage(page, 'chat-citations')
    await mark(page).click()
    await viewer(page).getByText(`Page ${CITED} of ${PAGES}`).waitFor()
    await viewer(page).locator('[data-passage]').first().waitFor()
    await inspectPage(page, 'citation-viewer')
    await page.goBack()
    await viewer(page).waitFor({ state: 'detached' })
    await page.goForward()
    await page.reload()
    await viewer(page).locator('[data-passage]').first().waitFor()
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    await mark(page).waitFor()
  })

  test('leave the conversation alone if the viewer doesn’t load', async () => {
    const session = await api.sessions.create({ projectId, agentId })
    const page = await e2e.visit(`/chat/${session.id}`, { as: ada })
    await ask(page)
    await mark(page).waitFor()
    // Also from the cache, which another page has filled.
    await page.route(/\/assets\/citation-viewer-/, (route) => route.abort('internetdisconnected'))
    await mark(page).click()
    const problem = page.getByRole('dialog', { name: 'Source', exact: true })
    await problem.getByText('Can’t reach the server').waitFor()
    await page.keyboard.press('Escape')
    await problem.waitFor({ state: 'detached' })
    await mark(page).waitFor()
  })

  test('open the version that was read after the file has changed', async () => {
    const session = await api.sessions.create({ projectId, agentId })
    const page = await e2e.visit(`/chat/${session.id}`, { as: ada })
    await ask(page)
    await mark(page).waitFor()
    const form = new FormData()
    form.append('file', new File([pdfOf(['Everything is new'])], 'manual.pdf', { type: 'application/pdf' }))
    const response = await fetch(`${e2e.app.url}/api/v1/files/${pdf}/versions`, {
      method: 'POST',
      headers: cookie(await e2e.app.session(ada)),
      body: form,
    })
    expect(response.status).toBe(201)
    await mark(page).click()
    await viewer(page).getByText('this is version 1 of 2').waitFor()
    await viewer(page).locator('[data-passage]').first().waitFor()
    await viewer(page).getByRole('link', { name: 'Open current version' }).click()
    await page.getByRole('dialog', { name: 'Viewer: manual.pdf' }).getByText('Page 1 of 1').waitFor()
  })

  describe('a pinned conversation', () => {
    const ASKED = 'Which kettle does the galley keep for the captain?'
    const ANSWERED = 'The galley keeps the dented copper kettle for the captain.'
    /** More than two pages follow. */
    const LATER_MESSAGES = 120
    let pinned: string
    beforeAll(async () => {
      const session = await api.sessions.create({ projectId, agentId })
      pinned = session.id
      const bodies = ['Good morning', 'Good morning, crew.', ASKED, ANSWERED]
      for (let n = 1; n <= LATER_MESSAGES; n++) bodies.push(`Barrel ${n} is counted in the hold`)
      await e2e.app.sql`
        insert into messages (org_id, session_id, seq, id, role, content, body, trust, author_id, created_at)
        select ${ada.orgId}, ${pinned}, b.n, gen_random_uuid(),
          case when b.n % 2 = 1 then 'user' else 'assistant' end,
          jsonb_build_array(jsonb_build_object('type', 'text', 'text', b.body)), b.body, 'trusted',
          case when b.n % 2 = 1 then ${ada.id}::uuid end, now()
        from unnest(${bodies}::text[]) with ordinality b (body, n)`
      await e2e.app.sql`update agent_sessions set message_seq = ${bodies.length} where id = ${pinned}`
      await api.sessions.update({ id: pinned, title: 'Galley', knowledge: true })
    })

    const findPassage = async () => {
      await e2e.app.sql`update passage_sources set due_at = now() where due_at > now() and attempts = 0`
      return (await api.passages.search({ q: ASKED, types: 'session' })).items[0]
    }
    const cited = (page: Page) => page.locator('[data-cited]')
    const isShown = (page: Page) =>
      cited(page).evaluate((element) => {
        const message = element.getBoundingClientRect()
        const log = element.closest('[role=log]')!.getBoundingClientRect()
        return message.top >= log.top && message.bottom <= log.bottom
      })
    /** What is marked, whatever the page shows it with. */
    const marked = (page: Page) =>
      page.evaluate(() =>
        [...(CSS.highlights.get('message') ?? [])].map((range) => (range as Range).toString()),
      )
    async function expectShown(page: Page): Promise<void> {
      await cited(page).getByText(ASKED).waitFor()
      await expect.poll(() => isShown(page)).toBe(true)
      await expect.poll(() => marked(page)).toEqual([ASKED.replace('?', ''), ANSWERED.replace('.', '')])
    }

    test('opens at the question, and marks what was read, also on reload and with Back', async () => {
      await expect.poll(findPassage, { timeout: 60_000 }).toBeDefined()
      const { key, message } = (await findPassage())!
      expect(message).toBe(3)
      const search = `call search_knowledge ${JSON.stringify({ queries: [ASKED] })}`
      const lines = [search, '---', `say The dented one [${key}].`]
      const session = await api.sessions.create({ projectId, agentId })
      const page = await e2e.visit(`/chat/${session.id}`, { as: ada })
      await page
        .getByRole('textbox', { name: 'Message' })
        .fill(`Which kettle?\n\n\`\`\`script\n${lines.join('\n')}\n\`\`\``)
      await page.keyboard.press('Enter')
      await mark(page).click()
      await page.waitForURL(`**/chat/${pinned}?message=3`)
      await expectShown(page)
      await inspectPage(page, 'chat-cited-message')
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.reload()
      await expectShown(page)
      await page.goBack()
      await mark(page).waitFor()
      await page.goForward()
      await expectShown(page)
      await page.getByRole('button', { name: 'Jump to latest message' }).click()
      await page.getByText(`Barrel ${LATER_MESSAGES} is counted`).waitFor()
      await expect.poll(() => isShown(page)).toBe(false)
    })

    test('opens from a tested retrieval', async () => {
      await expect.poll(findPassage, { timeout: 60_000 }).toBeDefined()
      const page = await e2e.visit(`/knowledge/test?q=${encodeURIComponent(ASKED)}`, { as: ada })
      await page.getByRole('link', { name: 'Galley' }).first().click()
      await expectShown(page)
      await page.goBack()
      await page.getByLabel('Ask a question').waitFor()
    })
  })
})
