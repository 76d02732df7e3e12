import { beforeEach, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'

const build = async () => {
  const app = await buildTestApp()
  await app.app.startWorker()
  return app
}

describe.skipIf(!CHROMIUM)('agent block', () => {
  const e2e = startE2e({ build })
  let ada: Person
  let grace: Person
  beforeEach(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada' })
    grace = await e2e.app.person(org, { name: 'Grace' })
  })

  async function open() {
    const created = await createCanvas(e2e, ada)
    const visit = async (as: Person) => {
      const page = await e2e.visit(created.path, { as })
      const on = canvasOf(page)
      await on.canvas.waitFor()
      return { page, ...on }
    }
    return { ...created, visit }
  }

  test("is added, runs with Ctrl+Enter, and answers on every member's canvas without loading images", async () => {
    const { visit, blocks } = await open()
    const [adaView, graceView] = [await visit(ada), await visit(grace)]
    await adaView.press('a', 'Enter')
    const image = '![pixel](https://evil.example/p.png) and [docs](https://evil.example/docs)'
    await adaView.page.getByLabel('Agent instructions').fill(`Repeat these words\n\n${image}`)
    await adaView.press('Control+Enter')
    for (const { block } of [adaView, graceView]) {
      const agent = block('Repeat these words')
      await agent.getByRole('status').filter({ hasText: 'Done' }).waitFor()
      const answer = agent.getByRole('region', { name: 'Answer' })
      await answer.getByText('Repeat these words').waitFor()
      await answer.getByText('(evil.example)').first().waitFor()
      expect(await agent.locator('img').count()).toBe(0)
    }
    const [block] = await blocks()
    expect(block!.metadata).toMatchObject({ status: 'done', output: expect.stringContaining('Repeat') })
  })

  test('shows the input and output of its last run beside the canvas', async () => {
    const { visit, api, projectId } = await open()
    const note = await api.canvas.create({ projectId, type: 'note', title: 'Goal', content: 'Sell seeds' })
    const content = 'Repeat the goal'
    const agent = await api.canvas.create({ projectId, type: 'agent', content, x: 400, width: 360 })
    await api.canvas.connect({ projectId, fromBlockId: note.id, toBlockId: agent.id })
    const { page, block, press } = await visit(ada)
    await block(content).getByRole('button', { name: 'Run', exact: true }).click()
    await block(content).getByRole('status').filter({ hasText: 'Done' }).waitFor()
    await block(content).click()
    await block(content).getByRole('button', { name: 'Last run' }).click()
    const panel = page.getByRole('complementary', { name: content })
    await panel.getByRole('heading', { name: 'Output' }).waitFor()
    await panel.getByRole('button', { name: 'Goal' }).waitFor()
    await panel.getByText('Sell seeds', { exact: true }).last().waitFor()
    await inspectPage(page, 'canvas-last-run')
    await page.setViewportSize({ width: 1440, height: 900 })
    const href = await panel.getByRole('link', { name: 'Open run' }).getAttribute('href')
    expect(href).toMatch(/^\/runs\/[0-9a-f-]{36}$/)
    await panel.focus()
    await press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('shows its state without controls to guests with a view link', async () => {
    const { visit, api, projectId } = await open()
    const content = 'Say hello'
    const { id: blockId } = await api.canvas.create({ projectId, type: 'agent', content })
    const { url } = await api.sharing.share({ projectId, access: 'view' })
    const guestPage = await e2e.visit(new URL(url!).pathname)
    const guest = canvasOf(guestPage)
    await guest.block(content).waitFor()
    const adaView = await visit(ada)
    await adaView.block(content).getByRole('button', { name: 'Run' }).click()
    await guest.block(content).getByRole('status').filter({ hasText: 'Done' }).waitFor()
    expect(await guest.block(content).locator('button, select, a').count()).toBe(0)
    await adaView.block(content).getByRole('link', { name: 'Open run' }).waitFor()
    expect((await api.canvas.list({ projectId })).items[0]).toMatchObject({ id: blockId })
  })

  test('waits for an answer, stops on request, and uses the selected agent', async () => {
    const { visit, api, projectId, blocks } = await open()
    const agent = await api.agents.create({ name: 'Player', model: 'test/script' })
    const question = `call ask_person ${JSON.stringify({ question: 'Which one?' })}`
    const content = ['Ask first', '```script', question, '```'].join('\n')
    await api.canvas.create({ projectId, type: 'agent', content })
    const adaView = await visit(ada)
    const node = adaView.block('Ask first')
    await node.getByLabel('Agent').selectOption('Player')
    await expect.poll(async () => (await blocks())[0]!.metadata.agentId).toBe(agent.id)
    await node.click()
    await adaView.press('Control+Enter')
    await node.getByText('Has a question').waitFor()
    await node.getByRole('link', { name: 'Answer' }).waitFor()
    await node.getByRole('button', { name: 'Stop' }).click()
    await node.getByRole('status').filter({ hasText: 'Canceled' }).waitFor()
    await node.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })

  test('runs downstream blocks, shows their progress, and resumes after a failure', async () => {
    const { visit, api, projectId } = await open()
    const { id: agentId } = await api.agents.create({ name: 'Player', model: 'test/script' })
    const create = async (title: string, line: string, x: number) => {
      const content = ['```script', line, '```'].join('\n')
      const box = { x, y: 0, width: 320, height: 240, title }
      return (await api.canvas.create({ projectId, type: 'agent', content, ...box, metadata: { agentId } }))
        .id
    }
    const [first, second, third] = [
      await create('First', 'say one', 0),
      await create('Second', 'fail 401', 400),
      await create('Third', 'say three', 800),
    ]
    await api.canvas.connect({ projectId, fromBlockId: first, toBlockId: second })
    await api.canvas.connect({ projectId, fromBlockId: second, toBlockId: third })
    const { page, block } = await visit(ada)
    await block('First').getByRole('button', { name: 'Run from here' }).click()
    const strip = page.getByRole('region', { name: 'Workflows' })
    await strip.getByText('Workflow failed').waitFor()
    await strip.getByText('1 of 3').waitFor()
    await block('Third').getByRole('status').filter({ hasText: 'Skipped' }).waitFor()
    const { items } = await api.agentRuns.list({ projectId })
    const { id } = items.find(({ kind }) => kind === 'workflow')!
    const fixed = ['```script', 'say two', '```'].join('\n')
    await e2e.app.sql`
      update workflow_blocks set instructions = ${fixed} where run_id = ${id} and block_id = ${second}`
    await strip.getByRole('button', { name: 'Resume' }).click()
    await block('Third').getByRole('status').filter({ hasText: 'Done' }).waitFor()
    await strip.waitFor({ state: 'detached' })
  })

  test('is not needed to ask an agent about selected blocks, which it edits live', async () => {
    const { visit, api, projectId } = await open()
    await api.agents.create({ name: 'Player', model: 'test/script' })
    const note = await api.canvas.create({ projectId, type: 'note', content: 'Mlik' })
    const adaView = await visit(ada)
    await adaView.block('Mlik').click()
    await adaView.canvas.getByRole('toolbar', { name: 'Selected blocks' }).getByLabel('Ask an agent').click()
    const panel = adaView.page.getByRole('complementary', { name: 'Ask an agent' })
    await panel.getByText('Mlik').waitFor()
    await panel.getByLabel('Agent', { exact: true }).selectOption('Player')
    const edit = { update: [{ id: note.id, content: 'Milk' }] }
    const lines = [`call edit_canvas ${JSON.stringify(edit)}`, '---', 'say Corrected']
    const question = ['Correct this', '```script', ...lines, '```'].join('\n')
    await panel.getByRole('textbox', { name: 'Message' }).fill(question)
    await adaView.press('Enter')
    await adaView.block('Milk').waitFor()
    await panel.getByText('Corrected', { exact: true }).waitFor()
    expect(new URL(adaView.page.url()).searchParams.get('session')).toMatch(/^[0-9a-f-]{36}$/)
    await adaView.page.reload()
    await panel.getByText('Corrected', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Undo changes' }).click()
    await adaView.page.getByRole('dialog').getByRole('button', { name: 'Undo changes' }).click()
    await adaView.block('Mlik').waitFor()
  })
})
