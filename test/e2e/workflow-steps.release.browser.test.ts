import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../server/testing/clients/agent-runs.ts'
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

const FORM = {
  type: 'form',
  people: [],
  fields: [
    { key: 'amount', label: 'Amount', type: 'number', required: true },
    { key: 'urgent', label: 'Urgent', type: 'boolean', required: true },
    { key: 'reason', label: 'Reason', type: 'long_text', required: false },
  ],
}

describe.skipIf(!CHROMIUM)('workflow steps', () => {
  const e2e = startE2e({ build })
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  async function open(name: string) {
    const created = await createCanvas(e2e, ada, { name })
    const { api, projectId } = created
    const { id: agentId } = await api.agents.create({ name: `${name} agent`, model: 'test/script' })
    const add = (title: string, content: string, metadata: object = {}, at = { x: 0, y: 0 }) =>
      api.canvas.create({
        ...{ projectId, type: 'agent', title, content, ...at, width: 360, height: 240 },
        metadata: { agentId, ...metadata },
      })
    const visit = async () => {
      const page = await e2e.visit(created.path, { as: ada, expectedStatuses: [400] })
      const on = canvasOf(page)
      await on.canvas.waitFor()
      return { page, ...on }
    }
    return { ...created, add, visit }
  }

  test('a form waits for an answer, which decides where the workflow goes on', async () => {
    const { api, projectId, add, visit, edges } = await open('Purchase')
    const form = await add('Approve the purchase', 'How much may it **cost**?', { step: FORM })
    const large = await add('Ask the board', script('say large'), {}, { x: 600, y: -300 })
    const small = await add('Order it', script('say small'), {}, { x: 600, y: 300 })
    await api.canvas.connect({ projectId, fromBlockId: form.id, toBlockId: large.id })
    await api.canvas.connect({
      ...{ projectId, fromBlockId: form.id, toBlockId: small.id },
      condition: 'output.amount <= 100',
    })
    const forms = await e2e.visit('/forms', { as: ada })
    await forms.getByText('No open forms').waitFor()
    await inspectPage(forms, 'forms-empty')

    const { page, canvas, block } = await visit()
    await canvas.getByText('output.amount <= 100').click()
    await page.getByRole('button', { name: 'Condition', exact: true }).click()
    const condition = page.getByRole('dialog', { name: 'Condition' })
    await condition.getByRole('textbox', { name: 'Condition' }).fill('output.amount >')
    await condition.getByRole('button', { name: 'Save' }).click()
    await condition.getByRole('alert').waitFor()
    await inspectPage(page, 'canvas-condition')
    await page.setViewportSize({ width: 1440, height: 900 })
    await condition.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await condition.waitFor({ state: 'detached' })
    await block('Approve the purchase').click()
    await block('Approve the purchase').getByTitle('Step settings').click()
    const settings = page.getByRole('dialog', { name: 'Step settings' })
    await settings.getByRole('combobox', { name: 'Step', exact: true }).waitFor()
    await inspectPage(page, 'canvas-step-settings')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
    await api.agentBlocks.run({ projectId, blockId: form.id })
    await block('Approve the purchase').getByRole('status').filter({ hasText: 'Waiting' }).first().waitFor()
    await forms.reload()
    await forms.getByRole('link', { name: 'Approve the purchase' }).click()
    await forms.getByRole('button', { name: 'Send answer' }).waitFor()
    await inspectPage(forms, 'form')
    await forms.setViewportSize({ width: 1440, height: 900 })
    await forms.getByLabel('Amount').fill('900')
    await forms.getByLabel('Urgent').selectOption('Yes')
    await forms.getByRole('button', { name: 'Send answer' }).click()
    await forms.getByText('Answer sent. The workflow continues.').waitFor()
    await block('Ask the board').getByRole('status').filter({ hasText: 'Done' }).waitFor()
    await block('Order it').getByRole('status').filter({ hasText: 'Skipped' }).waitFor()
    await inspectPage(page, 'canvas-skipped-branch')
    expect(await page.getByText('Workflow canceled').count()).toBe(0)
    expect((await edges()).map(({ condition }) => condition)).toContain('output.amount <= 100')
  })

  test("a form is answered in its block's panel or on the run's page, and the block shows the answer", async () => {
    const { api, projectId, add, visit } = await open('Vacation')
    const first = await add('Ask for the days', 'How **long**?', { step: FORM })
    const second = await add('Ask again', '', { step: FORM }, { x: 600, y: 0 })
    await api.canvas.connect({ projectId, fromBlockId: first.id, toBlockId: second.id })
    const { page, block } = await visit()
    const { run } = await api.agentBlocks.run({ projectId, blockId: first.id, downstream: true })
    const answer = async (form: Locator, amount: string) => {
      await form.getByLabel('Amount').fill(amount)
      await form.getByLabel('Urgent').selectOption('Yes')
      await form.getByRole('button', { name: 'Send answer' }).click()
    }
    await block('Ask for the days').getByRole('button', { name: 'Answer' }).click()
    const panel = page.getByRole('complementary', { name: 'Ask for the days' })
    await panel.getByRole('button', { name: 'Send answer' }).waitFor()
    await inspectPage(page, 'canvas-form-panel')
    await page.setViewportSize({ width: 1440, height: 900 })
    await answer(panel, '12')
    const shown = block('Ask for the days').getByRole('region', { name: 'Answer: Ask for the days' })
    await shown.getByText('Amount').waitFor()
    const text = await block('Ask for the days').innerText()
    expect(text).toContain('Ada · ')
    expect(text).not.toContain(ada.id)
    expect(text).not.toContain('answeredBy')
    await panel.getByText('12', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Close panel' }).click()

    const runPage = await e2e.visit(`/runs/${run.id}`, { as: ada })
    const open2 = runPage.getByRole('article', { name: 'Ask again' })
    await open2.getByRole('button', { name: 'Send answer' }).waitFor()
    await runPage.getByRole('region', { name: 'Forms' }).getByText('Ask for the days').waitFor()
    await inspectPage(runPage, 'run-form')
    await runPage.setViewportSize({ width: 1440, height: 900 })
    await answer(open2, '15')
    await runPage.getByText('Succeeded').waitFor()
    await runPage.getByRole('region', { name: 'Forms' }).getByText('15', { exact: true }).waitFor()
    await block('Ask again').getByText('15', { exact: true }).waitFor()
    await inspectPage(page, 'canvas-form-answers')
  })
})
