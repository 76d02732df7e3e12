import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../server/security/ids.ts'
import type { Organization, Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { pressOn } from './by-keyboard.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('home', () => {
  const e2e = startE2e()
  let org: Organization
  let ada: Person
  let ben: Person
  let projectId: string
  let blockId: string
  beforeAll(async () => {
    const { app } = e2e
    org = await app.organization('Analytical Engines')
    ada = await app.person(org, { name: 'Ada Lovelace', role: 'owner', operator: true })
    ben = await app.person(org, { name: 'Ben' })
    const [adaClient, benClient] = [await app.withSession(ada), await app.withSession(ben)]
    for (const [name, emoji] of [
      ['Support inbox', '📮'],
      ['Pricing study', null],
      ['Launch of the difference engine in three cities, with a name that is too long', '🚀'],
    ] as const)
      projectId = (await adaClient.projects.create({ name, emoji })).id
    blockId = (await adaClient.canvas.create({ projectId, type: 'note', title: 'Plan' })).id
    await benClient.canvas.create({ projectId, type: 'note', title: 'Costs' })
    await benClient.comments.create({ target: `block:${blockId}`, projectId, body: 'Is the date fixed?' })
    await seed(org.id)
  })

  async function seed(orgId: string) {
    const { sql, clock } = e2e.app
    const agent = sql`(select id from agents where org_id = ${orgId} order by id limit 1)`
    const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000)
    const run = async (title: string, status: string, by: Person, minutes: number) => {
      const id = newId()
      await sql`
        insert into runs (org_id, id, project_id, title, status, error, trigger, agent_id, agent_version, created_by, created_at,
          finished_at)
        values (${orgId}, ${id}, ${projectId}, ${title}, ${status}, ${status === 'failed' ? 'The provider refused the call: the key has no credit left' : null},
          'schedule', ${agent}, 1, ${by.id}, ${ago(minutes + 2)}, ${ago(minutes)})`
      return id
    }
    for (const [tool, risk, summary] of [
      ['delete_file', 'delete', 'Delete the file “old-prices.csv”'],
      ['mail_send', 'send', 'Call send in Mail as ada'],
      ['edit_canvas', 'none', 'Edit canvas'],
    ] as const) {
      const waiting = await run(tool, 'waiting', ada, 12)
      await sql`
        insert into approvals (org_id, id, run_id, step, ordinal, project_id, agent_id, kind, tool, risk, input, summary,
          requested_at, expires_at)
        values (${orgId}, ${newId()}, ${waiting}, 1, 1, ${projectId}, ${agent}, 'approval', ${tool}, ${risk}, '{}',
          ${summary}, ${ago(12)}, ${ago(-900)})`
    }
    await run('Weekly report', 'failed', ada, 40)
    await run('Daily summary', 'succeeded', ben, 90)
    await sql`update memberships set created_at = ${ago(3000)} where org_id = ${orgId}`
    await sql`
      insert into home_states (org_id, user_id, seen_at) values (${orgId}, ${ada.id}, ${ago(600)})`
    await sql`
      insert into connections (org_id, id, user_id, connector_slug, status, status_reason, created_at, updated_at)
      values (${orgId}, ${newId()}, ${ada.id}, 'slack', 'expired', 'The token was revoked', ${ago(300)}, ${ago(200)})`
    for (let day = 0; day < 14; day++)
      await sql`
        insert into usage (org_id, id, project_id, run_id, step, attempt, kind, user_id, provider, model, quantity, cost,
          price_source, at)
        select ${orgId}, gen_random_uuid(), ${projectId}, gen_random_uuid(), 1, 1, 'tokens', ${ada.id}, 'test', 'test/echo',
          '{"input": 12000, "output": 900}', ${0.1 + ((day * 7) % 5) * 0.31}, 'table', ${ago(day * 1440)}
        from generate_series(1, ${1 + ((day * 3) % 7)})`
  }

  test('claims no earlier visit for a member who has just joined', async () => {
    const cleo = await e2e.app.person(org, { name: 'Cleo' })
    await (await e2e.app.withSession(cleo)).search.opened({ type: 'project', id: projectId })
    const page = await e2e.visit('/', { as: cleo })
    await page.getByRole('region', { name: 'Projects' }).waitFor()
    expect(await page.getByText('Since your last visit').count()).toBe(0)
  })

  test('approves only calls without a risk, since their input is on another page', async () => {
    const page = await e2e.visit('/', { as: ada })
    await page.getByRole('button', { name: 'Approve: Edit canvas' }).waitFor()
    for (const risky of ['Delete the file “old-prices.csv”', 'Call send in Mail as ada'])
      await page.getByRole('link', { name: `Review: ${risky}` }).waitFor()
    expect(await page.getByRole('button', { name: /^Approve: / }).count()).toBe(1)
  })

  test('shows pending decisions and news, updates live, and hides dismissed entries, by keyboard alone', async () => {
    const page = await e2e.visit('/', { as: ada })
    const needs = page.getByRole('region', { name: 'Waiting for you' })
    await needs.getByRole('link', { name: 'Delete the file “old-prices.csv”', exact: true }).waitFor()
    await page.getByRole('region', { name: 'Since your last visit' }).getByText('Daily summary').waitFor()
    await page.getByRole('img', { name: /spent by/ }).waitFor()
    await inspectPage(page, 'home-busy')

    await page.setViewportSize({ width: 1440, height: 900 })
    const benClient = await e2e.app.withSession(ben)
    await benClient.comments.create({
      target: `block:${blockId}`,
      projectId,
      body: `@[${ada.id}] please look`,
    })
    await needs.getByRole('link', { name: 'Ben mentioned you on “Plan”', exact: true }).waitFor()

    const failed = needs.getByRole('link', { name: 'Weekly report', exact: true })
    await pressOn(page, needs.getByRole('button', { name: 'Remove “Weekly report” from Home' }))
    await failed.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+z')
    await failed.waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Clear' }))
    await page.getByRole('region', { name: 'Since your last visit' }).waitFor({ state: 'detached' })
    await pressOn(page, needs.getByRole('link', { name: 'Slack', exact: true }))
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/integrations\//)
  })
})
