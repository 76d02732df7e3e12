import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { script } from '../../server/testing/clients/agent-runs.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

const build = async () => {
  const app = await buildTestApp()
  await app.app.startWorker()
  return app
}

const SALES = `const rows = [
  { region: 'North', amount: 42 },
  { region: 'South', amount: 17 },
  { region: 'West', amount: 29 },
]
// One file per region, and a chart of all.
for (const { region, amount } of rows) {
  console.log('writing', region)
  await tools.write_file({ name: region + '.md', text: '# ' + region + '\\n' + amount })
}
if (rows.length < 4) console.warn('East has no numbers yet')
await charts.bar(rows, { title: 'Sales by region', name: 'sales-by-region.svg' })
return { best: rows.toSorted((a, b) => b.amount - a.amount)[0] }`

const ASKING = `const done = []
for (const region of ['North', 'South', 'West']) {
  console.log('checking', region)
  await tools.list_files({ query: region })
  if (region === 'South') await tools.submit_feedback({ message: 'South is late' })
  done.push(region)
}
return done`

const BROKEN = `const { text } = await tools.write_file({ name: 'plan.md', text: 'Plan' })
console.error('no text')
return text.length`

const MANY = `for (let n = 1; n <= 200; n++) {
  if (n === 170) await tools.read_file({ file: 'missing.md' }).catch(() => {})
  else await tools.list_files({ query: 'q' + n })
}
return 'looked'`

describe.skipIf(!CHROMIUM)('programs', () => {
  const e2e = startE2e({ build })
  let ada: Person
  let api: Client<Contract>
  let agentId: string
  let projectId: string
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'admin' })
    api = await e2e.app.withSession(ada)
    agentId = (await api.agents.create({ name: 'Analyst', model: 'test/script' })).id
    projectId = (await e2e.app.project(ada, { name: 'Sales' })).id
  })

  async function play(title: string, code: string, status: string) {
    const call = `call run_code ${JSON.stringify({ code })}`
    const content = `${title}\n${script(call, '---', 'say Done.')}`
    const { run, id: sessionId } = await api.sessions.create({ projectId, agentId, message: { content } })
    const statusOf = async () => (await api.agentRuns.get({ id: run!.id })).status
    await expect.poll(statusOf, { timeout: 60_000 }).toBe(status)
    return { runId: run!.id, sessionId }
  }

  const partsOf = (page: Page) => ({
    source: page.getByRole('figure', { name: 'Source' }),
    log: page.getByRole('log', { name: 'Console' }),
    call: (name: string) => page.getByRole('listitem').filter({ hasText: name }).last(),
  })
  const wide = (page: Page) => page.setViewportSize({ width: 1440, height: 900 })

  test('a run page shows its source, calls, console, chart and result', async () => {
    const { runId } = await play('Chart the sales', SALES, 'succeeded')
    const page = await e2e.visit(`/runs/${runId}`, { as: ada })
    const { source, log, call } = partsOf(page)
    await source.getByText('// One file per region').waitFor()
    expect(await source.locator('.text-hue-5').first().textContent()).toBe('const')
    expect(await source.innerText()).toMatch(/^1\n2\n3\n/)
    await log.getByText('[warn] East has no numbers yet').waitFor()
    await page.getByRole('img', { name: 'sales-by-region.svg' }).waitFor()
    await page.getByText('"region": "North"').waitFor()
    await call('Wrote South.md').getByRole('button').first().click()
    await page.getByText('"text": "# South\\n17"').waitFor()
    await inspectPage(page, 'run-program')
  })

  test('a failed program shows its error at the line', async () => {
    const { runId, sessionId } = await play('Measure the plan', BROKEN, 'succeeded')
    const page = await e2e.visit(`/runs/${runId}`, { as: ada })
    const { source, log } = partsOf(page)
    await page.getByText('Line 3:').waitFor()
    expect(await source.locator('[data-bad-line]').getAttribute('data-bad-line')).toBe('3')
    await log.getByText('[error] no text').waitFor()
    await inspectPage(page, 'run-program-failed')
    const chat = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    await chat.getByText('run a program: 1 call').click()
    await chat.getByText('Line 3:').waitFor()
    await inspectPage(chat, 'chat-program-failed')
  })

  test('a program that waits in a loop shows what it did, and is decided in the conversation', async () => {
    const { runId, sessionId } = await play('Check the regions', ASKING, 'waiting')
    const page = await e2e.visit(`/runs/${runId}`, { as: ada })
    const { log, call } = partsOf(page)
    await log.getByText('checking South').waitFor()
    await call('end feedback').getByText('Needs approval').waitFor()
    await call('end feedback').getByRole('link', { name: 'Decide' }).waitFor()
    await inspectPage(page, 'run-program-waiting')
    await wide(page)
    const chat = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    const card = chat.getByRole('article', { name: /^Approval: / })
    await card.getByText('South is late').waitFor()
    await card.getByText(/send feedback to the operators/).waitFor()
    await chat.getByText('run a program: 3 calls').click()
    await partsOf(chat).log.getByText('checking South').waitFor()
    await inspectPage(chat, 'chat-program-waiting')
    await wide(chat)
    await card.getByRole('button', { name: 'Approve', exact: true }).click()
    await chat.getByText('Done.', { exact: true }).waitFor()
    await chat.getByText('Ran a program: 4 calls').waitFor()
    await partsOf(chat).log.getByText('checking West').waitFor()
    // The page that was open all the time follows.
    await log.getByText('checking West').waitFor()
    await call('ent feedback').getByRole('link', { name: 'Decision' }).click()
    await page.waitForURL('**/approvals/*')
    await page.getByText('Approved', { exact: true }).waitFor()
  })

  test('a question of a program is answered in the conversation', async () => {
    const code = `const { answer } = await tools.ask_person({ question: 'Which name?', choices: ['Aurora', 'Borealis'] })
return answer`
    const { sessionId } = await play('Choose a name', code, 'waiting')
    const page = await e2e.visit(`/chat/${sessionId}`, { as: ada })
    const question = page.getByRole('region', { name: 'Question: Which name?' })
    await question.getByRole('button', { name: 'Borealis' }).click()
    await page.getByText('Done.', { exact: true }).waitFor()
    await page.getByText('Ran a program: 1 call').click()
    await page.getByText('Borealis', { exact: true }).waitFor()
  })

  test('shows the first and the failed ones of many calls, then all', async () => {
    const { runId } = await play('Look for everything', MANY, 'succeeded')
    const page = await e2e.visit(`/runs/${runId}`, { as: ada })
    const { call } = partsOf(page)
    await page.getByText('119 finished calls').waitFor()
    await call('ead missing.md').getByText('Failed').waitFor()
    expect(await page.getByText('q51', { exact: true }).count()).toBe(0)
    await inspectPage(page, 'run-program-many')
    await wide(page)
    await page.getByRole('button', { name: 'Show all 200 calls' }).click()
    await page.getByText('q51', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('q200', { exact: true }).waitFor()
    expect(await page.getByText('q50', { exact: true }).count()).toBe(1)
  })
})
