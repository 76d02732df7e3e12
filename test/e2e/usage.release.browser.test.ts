import { describe, expect, test } from 'vitest'
import { script } from '../../server/testing/clients/agent-runs.ts'
import { createChatClient } from '../../server/testing/clients/chat-client.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { WIDE } from './profiles.ts'

const PRICES = { 'test/script': { input: 0, output: 100 } }

describe.skipIf(!CHROMIUM)('usage and budgets', () => {
  const e2e = startE2e({
    build: () => buildTestApp({ env: { ATRIUM_MODEL_PRICES: JSON.stringify(PRICES) } }),
  })

  test('an admin sees run costs and raises the budget a run waits for', async () => {
    const { app } = e2e
    await app.app.startWorker()
    const chat = await createChatClient(app)
    await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
    await chat.waitForEnd((await chat.start(script(`say ${'word'.repeat(100)}`))).runId)

    const page = await e2e.visit('/settings/organization/usage?by=agent', {
      as: chat.person,
      expectedStatuses: [400],
    })
    await page.getByRole('table', { name: 'Usage by Agent' }).getByRole('cell', { name: '$0.01' }).waitFor()
    const chart = page.getByRole('slider', { name: /^Spend so far in/ })
    await chart.focus()
    await page.keyboard.press('End')
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/: \$0\.01, Scripted \$0\.01$|: \$0\.01, .+ \$0\.01$/)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page
      .getByRole('table', { name: /^Spend so far in/ })
      .getByRole('cell', { name: '$0.01' })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Show as chart' }).click()
    await inspectPage(page, 'usage')
    await page.setViewportSize(WIDE)
    await page.getByRole('group', { name: 'Spend by' }).getByText('Model').click()
    await page.getByRole('cell', { name: 'test/script', exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('model')

    await page.getByRole('link', { name: 'New budget' }).click()
    await page.getByLabel('Amount (US dollars)').fill('0')
    await page.getByRole('button', { name: 'Set budget' }).click()
    await page.getByText('must be greater than 0').waitFor()
    await page.getByLabel('Amount (US dollars)').fill('0.4')
    await page.getByRole('button', { name: 'Set budget' }).click()
    await page.getByText('$0.01 of $0.40').waitFor()

    const { runId, sessionId } = await chat.start(script('say Hello'))
    await chat.until(runId, 'waiting')
    await page.getByText('1 run is waiting for a budget.').waitFor()
    await page.getByRole('link', { name: 'Usage and budgets 1 paused' }).waitFor()
    await page.goto(`${app.url}/chat/${sessionId}`)
    await page.getByText(/The organization budget per month can’t cover the next model call/).waitFor()
    await page.goto(`${app.url}/runs/${runId}`)
    await page.getByRole('link', { name: 'Raise budget' }).click()
    await page.getByLabel('Amount (US dollars)').fill('5')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await chat.waitForEnd(runId)

    await page.goto(`${app.url}/settings/organization/agent-policy`)
    const rules = page.getByRole('combobox', { name: 'Models members can use' })
    await rules.fill('test/*')
    await rules.press('Enter')
    await page.getByRole('button', { name: 'Remove test/*' }).waitFor()
    await page.getByLabel('Delete').selectOption('ask')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Agent policy saved').waitFor()
    expect(await chat.client.orgSettings.get()).toMatchObject({
      models: { member: ['test/*'] },
      approvals: { delete: 'ask' },
    })
  })
})
