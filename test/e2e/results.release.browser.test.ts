import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
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

const SCHEMA = {
  type: 'object',
  properties: {
    summary: { type: 'string', title: 'Short summary' },
    isUrgent: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    customer: {
      type: 'object',
      properties: { name: { type: 'string' }, since: { type: 'string', format: 'date' } },
      required: ['name'],
    },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { article: { type: 'string' }, amount: { type: 'number' } },
        required: ['article', 'amount'],
      },
    },
  },
  required: ['summary', 'isUrgent', 'tags', 'customer', 'lines'],
}
const RESULT = {
  summary: 'The invoice lists two articles and is due next week.',
  isUrgent: true,
  tags: ['invoice', 'hardware'],
  customer: { name: 'Acme', since: '2021-04-01' },
  lines: [
    { article: 'Keyboard', amount: 1234.5 },
    { article: 'Mouse', amount: 20 },
  ],
}
const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')
const WRONG = `say ${JSON.stringify({ ...RESULT, isUrgent: 'yes' })}`
const RIGHT = `say ${JSON.stringify(RESULT)}`

describe.skipIf(!CHROMIUM)('results', () => {
  const e2e = startE2e({ build })
  let ada: Person
  let api: Client<Contract>
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', role: 'admin' })
    api = await e2e.app.withSession(ada)
  })
  beforeEach(async () => void (await e2e.app.sql`delete from rate_limits`))

  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name })
  const resultOn = (page: Page) => page.getByRole('region', { name: 'Result' })

  /** `npm run screenshots` has the widths of the inspection; these are for looking at. */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.PICTURES
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    for (const width of [1280, 390])
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme)
        await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) })
      }
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  async function startRun(...lines: string[]) {
    const agent = await api.agents.create({
      name: 'Invoice check',
      model: 'test/script',
      outputSchema: SCHEMA,
    })
    const project = await api.projects.create({ name: 'Invoices' })
    const message = { content: script(...lines) }
    const { run, ...session } = await api.sessions.create({
      projectId: project.id,
      agentId: agent.id,
      message,
    })
    const status = async () => (await api.agentRuns.get({ id: run!.id })).status
    await expect.poll(status, { timeout: 20_000 }).toBe('succeeded')
    return { runId: run!.id, sessionId: session.id, projectId: project.id, agentId: agent.id }
  }

  test('are described field by field, with an example, or as JSON Schema', async () => {
    const { id } = await api.agents.create({ name: 'Sorter' })
    const page = await e2e.visit(`/agents/${id}`, { as: ada, expectedStatuses: [400] })
    await tab(page, 'Result').click()
    await page.getByRole('switch', { name: 'Answer with data' }).check()
    await picture(page, 'editor-new')
    await page.getByLabel('Name').last().fill('score')
    await page.getByLabel('Type').selectOption({ label: 'Decimal number' })
    await page.getByLabel('Description').last().fill('From 0 to 1')
    await page.getByRole('button', { name: 'Add field' }).click()
    const second = page.getByRole('group', { name: 'Field 2' })
    await second.getByLabel('Name').fill('score')
    await page.getByText('Another field has this name').waitFor()
    const reasons = page.getByRole('group', { name: 'score' }).last()
    await reasons.getByLabel('Name').fill('reasons')
    await page.getByRole('group', { name: 'reasons' }).getByLabel('List').check()
    await resultOn(page).getByText('Reasons', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Publish version/ }).click()
    await page.getByText('Published version 2').waitFor()
    expect((await api.agents.get({ id })).outputSchema).toEqual({
      type: 'object',
      properties: {
        score: { type: 'number', description: 'From 0 to 1' },
        reasons: { type: 'array', items: { type: 'string' } },
      },
      required: ['score', 'reasons'],
    })
    await picture(page, 'editor-fields')
    await inspectPage(page, 'agents-editor')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('group', { name: 'Edit as' }).getByText('JSON Schema').click()
    const json = page.getByLabel('JSON Schema').last()
    await json.fill('{"type":"object","properties":{"a":{"type":"list"}}}')
    await page.getByText('properties.a.type: must be one of').waitFor()
    await json.fill('{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}')
    await page.getByRole('button', { name: /^Publish version/ }).click()
    await page
      .getByText(/properties\.a\.pattern: is not a valid RE2 pattern/)
      .first()
      .waitFor()
    await picture(page, 'editor-json')
  })

  test('are forms in the chat, with the request to correct them and the JSON one click away', async () => {
    const { sessionId } = await startRun(WRONG, '---', RIGHT)
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    const result = resultOn(page)
    await result.getByText('Short summary').waitFor()
    await result.getByText('Is urgent').waitFor()
    expect(await result.getByRole('cell').allTextContents()).toEqual(['Keyboard', '1,234.5', 'Mouse', '20'])
    await page.getByText('The result didn’t match its format.').click()
    await page.getByText('isUrgent must be true or false').waitFor()
    await picture(page, 'chat')
    await inspectPage(page, 'chat-approval')
    await page.setViewportSize({ width: 1440, height: 900 })
    await result.getByRole('button', { name: 'JSON', exact: true }).click()
    await result.getByText('"isUrgent": true').waitFor()
  })

  test('are on the run’s page', async () => {
    const { runId } = await startRun(RIGHT)
    const page = await e2e.visit(`/runs/${runId}`, { as: ada })
    await resultOn(page).getByText('Keyboard').waitFor()
    await picture(page, 'run')
    await inspectPage(page, 'run')
  })

  test("have a format of their own in a block's settings", async () => {
    const { path, projectId, api: client } = await createCanvas(e2e, ada, { name: 'Ratings' })
    const { id: agentId } = await api.agents.create({ name: 'Rater', model: 'test/script' })
    const content = script('say {"score": 0.5}')
    const block = await client.canvas.create({
      ...{ projectId, type: 'agent', title: 'Rate it', content, width: 360, height: 240 },
      metadata: { agentId },
    })
    const saved = async () =>
      (await client.canvas.list({ projectId })).items.find(({ id }) => id === block.id)!.metadata
    const page = await e2e.visit(path, { as: ada })
    const on = canvasOf(page)
    await on.canvas.waitFor()
    const settings = page.getByRole('dialog', { name: 'Step settings' })
    const open = async () => {
      await on.block('Rate it').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Step settings' }).click()
    }
    await open()
    await settings.getByRole('switch', { name: 'Answer with data' }).check()
    await settings.getByLabel('Name').fill('score')
    await settings.getByLabel('Type', { exact: true }).selectOption({ label: 'Decimal number' })
    await resultOn(page).getByText('Score', { exact: true }).waitFor()
    await inspectPage(page, 'canvas-result-format')
    await page.setViewportSize({ width: 1440, height: 900 })
    await settings.getByRole('group', { name: 'Edit as' }).getByText('JSON Schema').click()
    const schema = settings.getByLabel('JSON Schema').last()
    const valid = await schema.inputValue()
    await schema.fill('{"type":"object","properties":{"a":{"type":"list"}}}')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText('Result format: properties.a.type: must be one of').waitFor()
    await schema.fill(valid)
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    const format = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] }
    await expect.poll(async () => (await saved()).outputSchema).toEqual(format)
    const { run } = await client.agentBlocks.run({ projectId, blockId: block.id })
    await expect.poll(async () => (await client.agentRuns.get({ id: run.id })).output).toEqual({ score: 0.5 })
    await open()
    expect(await settings.getByLabel('Name').inputValue()).toBe('score')
    await settings.getByRole('switch', { name: 'Answer with data' }).uncheck()
    await settings.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await saved()).outputSchema).toBeUndefined()
    expect((await saved()).agentId).toBe(agentId)
  })

  test('are forms in the agent block that got them', async () => {
    const { path, projectId, api: client } = await createCanvas(e2e, ada)
    const { id: agentId } = await api.agents.create({ name: 'Reader', model: 'test/script' })
    const block = await client.canvas.create({
      ...{
        projectId,
        type: 'agent',
        title: 'Read the invoice',
        content: script(RIGHT),
        width: 480,
        height: 420,
      },
      metadata: { agentId, outputSchema: SCHEMA },
    })
    const { run } = await client.agentBlocks.run({ projectId, blockId: block.id })
    await expect.poll(async () => (await client.agentRuns.get({ id: run.id })).status).toBe('succeeded')
    const page = await e2e.visit(path, { as: ada })
    await canvasOf(page).canvas.waitFor()
    await resultOn(page).getByText('Keyboard').waitFor()
    await picture(page, 'block')
  })
})
