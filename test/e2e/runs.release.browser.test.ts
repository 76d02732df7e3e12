import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Runs and approvals', () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  let api: Client<Contract>
  let agentId: string
  let projectId: string
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', role: 'owner', password: PASSWORD })
    api = await e2e.app.withSession(ada)
    agentId = (await api.agents.create({ name: 'Player', model: 'test/script' })).id
    projectId = (await e2e.app.project(ada, { name: 'Launch' })).id
  })

  const statusOf = async (id: string) => (await api.agentRuns.get({ id })).status

  /** Starts a run that plays the script, and waits until it has this status. */
  async function play(title: string, script: string, status: string, by = agentId): Promise<string> {
    const content = `${title}\n\`\`\`script\n${script}\n\`\`\``
    const { run } = await api.sessions.create({ projectId, agentId: by, message: { content } })
    await expect.poll(() => statusOf(run!.id)).toBe(status)
    return run!.id
  }

  const toast = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })

  test('a run shows its steps and calls, and the prompt the model received', async () => {
    const id = await play(
      'Add a note to the canvas',
      'say I look first.\ncall read_canvas {}\n---\ncall edit_canvas {"create":[{"ref":"a","type":"note","title":"Plan","content":"First"}]}\n---\nsay Done.',
      'succeeded',
    )
    await e2e.app.sql`
      insert into usage (org_id, id, project_id, run_id, step, attempt, kind, call_ordinal, agent_id, user_id, provider,
        model, quantity, cost, price_source, at)
      select r.org_id, gen_random_uuid(), r.project_id, r.id, 1, 1, 'description', n, r.agent_id, r.created_by, 'acme',
        'acme/sees', '{}', 0.02, 'table', now()
      from runs r, generate_series(1, 2) n where r.id = ${id}`
    const page = await e2e.visit('/runs', { as: ada })
    const row = page.getByRole('listitem').filter({ hasText: 'Add a note to the canvas' })
    await row.getByText('Succeeded').waitFor()
    await row.getByRole('img', { name: /^Model / }).waitFor()
    await page.getByText('Runs today').waitFor()
    await inspectPage(page, 'runs')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Status').selectOption('Failed')
    await page.getByText('No runs match your filters').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'Add a note to the canvas' }).click()
    await page.waitForURL(`**/runs?run=${id}`)
    const beside = page.getByRole('complementary', { name: 'Add a note to the canvas' })
    await beside.getByRole('list', { name: 'Timeline' }).getByText('Read canvas').waitFor()
    await beside.getByRole('button', { name: 'Undo 1 change…' }).waitFor()
    await inspectPage(page, 'run-panel')
    await page.setViewportSize({ width: 1440, height: 900 })
    await beside.getByRole('link', { name: 'Open full page' }).click()
    await page.waitForURL(`**/runs/${id}`)
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByRole('button', { name: /^Read canvas/ }).waitFor()
    await timeline.getByText('2 images described · acme/sees · $0.04').waitFor()
    await timeline.getByRole('button', { name: /^Edit canvas/ }).click()
    await timeline.getByText('"title": "Plan"').waitFor()
    await timeline.getByRole('button', { name: /^Step 1/ }).click()
    await timeline.getByText('I look first.').waitFor()
    await inspectPage(page, 'run')
    await page.setViewportSize({ width: 1440, height: 900 })
    await timeline.getByRole('button', { name: 'Show prompt' }).click()
    const panel = page.getByRole('complementary', { name: 'Prompt for step 1' })
    await panel.getByText('You are Player.').waitFor()
    await panel.getByText('Add a note to the canvas').waitFor()
    await inspectPage(page, 'run-prompt')
  })

  test("a run's changes are shown as a diff, undone with a conflict preview, and restored", async () => {
    const script = [
      'call edit_canvas {"create":[{"ref":"a","type":"note","title":"Agenda","content":"Topics"}]}',
      'call write_file {"name":"agenda.md","text":"# Agenda\\nTopics\\n"}',
      '---',
      'say Done.',
    ].join('\n')
    const id = await play('Write the agenda', script, 'succeeded')
    const titles = async () => {
      const { items: blocks } = await api.canvas.list({ projectId })
      return blocks.map(({ title }) => title)
    }
    const { items: blocks } = await api.canvas.list({ projectId })
    const { id: blockId } = blocks.find(({ title }) => title === 'Agenda')!
    await api.canvas.update({ projectId, blockId, content: 'Topics and people' })
    const page = await e2e.visit(`/runs/${id}`, { as: ada })
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByRole('button', { name: /^agenda\.md/ }).click()
    await changes.getByText('+ # Agenda').waitFor()
    await inspectPage(page, 'run-changes')
    await page.setViewportSize({ width: 1440, height: 900 })
    await changes.getByRole('button', { name: 'Undo changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this run’s changes' })
    await dialog.getByText('is removed · edited since the run').waitFor()
    await inspectPage(page, 'run-undo')
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('button', { name: 'Undo and overwrite' }).click()
    await toast(page, 'Undid changes to 2 items').waitFor()
    expect(await titles()).not.toContain('Agenda')
    await changes.getByRole('button', { name: 'Restore changes' }).click()
    await toast(page, 'Restored changes to 2 items').waitFor()
    expect(await titles()).toContain('Agenda')
  })

  test('a failed run shows its error and the next action, and can be retried', async () => {
    const id = await play('Reach the provider', 'fail 401', 'failed')
    const page = await e2e.visit(`/runs/${id}`, { as: ada })
    await page.getByText('The provider rejected the API key').first().waitFor()
    await page.getByText('Check the provider’s API key and credit.').waitFor()
    await inspectPage(page, 'run-failed')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Retry' }).click()
    await toast(page, 'Started a new run in the same conversation').waitFor()
    await expect.poll(() => page.url()).not.toContain(id)
  })

  test('approvals are decided by key, with edited input, and always allowed until revoked', async () => {
    const feedback = (message: string) => `call submit_feedback {"message":"${message}"}\n---\nsay {{last}}`
    const first = await play('Report one', feedback('One'), 'waiting')
    const second = await play('Report two', feedback('Two'), 'waiting')
    const page = await e2e.visit('/approvals', { as: ada })
    const card = (text: string) => page.getByRole('article', { name: new RegExp(text) })
    await card('One').waitFor()
    await page.getByRole('link', { name: /^Inbox\s*2 waiting for you$/ }).waitFor()
    await inspectPage(page, 'approvals')
    await page.setViewportSize({ width: 1440, height: 900 })
    // The newest is first.
    await page.keyboard.press('j')
    await expect.poll(() => card('One').getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('d')
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Not now')
    await page.keyboard.press('Enter')
    await toast(page, 'Denied: Submit feedback').waitFor()
    await expect.poll(() => statusOf(first)).toBe('succeeded')

    await card('Two').getByRole('button', { name: 'Edit' }).click()
    const input = page.getByLabel('Input for submit_feedback')
    await input.fill('{"message": ')
    await card('Two').getByText('isn’t valid JSON').waitFor()
    await input.fill('{"message": "Two, edited"}')
    await card('Two').getByLabel('Approval scope').selectOption('Always for Player')
    await page.getByRole('heading', { name: 'Approvals', exact: true }).click()
    await page.keyboard.press('a')
    await toast(page, 'Approved: Submit feedback').waitFor()
    await expect.poll(() => statusOf(second)).toBe('succeeded')
    const { items } = await api.feedback.list({})
    expect(items.map(({ message }) => message)).toEqual(['Two, edited'])

    await page.getByRole('link', { name: 'Decided' }).click()
    const table = page.getByRole('table', { name: 'Decided approvals' })
    await table.getByText('Denied').waitFor()
    await table.getByText('Approved').waitFor()
    await inspectPage(page, 'approvals-decided')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Always allowed' }).click()
    await page.getByRole('button', { name: 'Revoke submit_feedback' }).click()
    await page.getByText('No tools are always allowed').waitFor()
    expect((await api.approvals.grants({})).items).toEqual([])
  })

  test('a call that deletes is approved by key on its own page, after step-up', async () => {
    const careful = { name: 'Careful', model: 'test/script', approvals: { delete: 'ask' as const } }
    const { id: by } = await api.agents.create(careful)
    await api.canvas.create({ projectId, type: 'note', title: 'Obsolete' })
    const id = await play('Tidy up', 'call edit_canvas {"delete":["Obsolete"]}', 'waiting', by)
    const [approval] = (await api.approvals.list({ runId: id })).items
    const page = await e2e.visit(`/approvals/${approval!.id}`, { as: ada, steppedUp: false })
    await page.getByText('Removes content for everyone who can see “Launch”.').waitFor()
    await inspectPage(page, 'approval')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.keyboard.press('a')
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await stepUp.getByLabel('Password').fill(PASSWORD)
    await stepUp.getByRole('button', { name: 'Confirm' }).click()
    await toast(page, 'Approved: Edit canvas').waitFor()
    const decided = page.getByRole('article', { name: approval!.summary })
    await decided.getByText('Approved', { exact: true }).waitFor()
    await expect
      .poll(() => decided.getByRole('heading').evaluate((node) => node === document.activeElement))
      .toBe(true)
    await decided.getByRole('link', { name: 'Open run' }).click()
    await page.getByText('Succeeded').waitFor()
    const { items } = await api.canvas.list({ projectId })
    expect(items.map(({ title }) => title)).not.toContain('Obsolete')
  })

  test("a question is answered on its run's page, and the run continues", async () => {
    const script =
      'call ask_person {"question":"Which color?","choices":["Red","Blue"]}\n---\nsay It is {{last}}'
    const id = await play('Choose a color', script, 'waiting')
    const page = await e2e.visit(`/runs/${id}`, { as: ada })
    await page.getByText('Has a question').waitFor()
    await inspectPage(page, 'run-question')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Blue' }).click()
    await page.getByText('Succeeded').waitFor()
    const last = page.getByRole('button', { name: /^Step 2/ })
    await last.click()
    await page.getByText(/It is .*Blue/).waitFor()
  })

  test('an agent is tried out beside its settings, with its edits saved first', async () => {
    const { id } = await api.agents.create({ name: 'Echo', model: 'test/echo' })
    const page = await e2e.visit(`/agents/${id}`, { as: ada })
    const pane = page.getByRole('complementary', { name: 'Try it' })
    await pane.getByRole('textbox').fill('Say it again')
    await page.keyboard.press('Enter')
    await expect.poll(() => pane.getByText('Say it again').count()).toBe(2)
    await page.getByLabel('Description').fill('Repeats')
    await pane.getByText('Replies come from version 1.').waitFor()
    await inspectPage(page, 'agents-try-out')
    await page.setViewportSize({ width: 1440, height: 900 })
    await pane.getByRole('button', { name: 'Publish and try' }).click()
    await toast(page, 'Published version 2').waitFor()
    await pane.getByText('Unsaved changes').waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => pane.getByText('Say it again').count()).toBe(2)
    await pane.getByRole('button', { name: 'Reset' }).click()
    await pane.getByText('Chat with the saved version of Echo.').waitFor()
    expect((await api.sessions.list({ agentId: id })).items).toHaveLength(1)
  })
})
