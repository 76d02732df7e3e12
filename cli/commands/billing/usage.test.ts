import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../server/security/ids.ts'
import { bearer, shareTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome } from '../../testing/command.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('usage shows cost by day, by another property and as CSV; budgets lists remaining amounts; payments lists and shows payments', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const { key } = await app.key(owner, ['terminal'])
  await app.sql`
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, user_id, provider, model, quantity, cost,
      price_source, at)
    values (${org.id}, ${newId()}, ${newId()}, ${newId()}, 1, 1, 'tokens', ${owner.id}, 'openai', 'openai/gpt-5',
      '{"input": 12000, "output": 30, "cacheRead": 9000}', 0.25, 'table', now())`
  const client = await app.withSession(owner)
  await client.budgets.put({ scope: 'user', id: owner.id, period: 'month', amount: '1' })
  const home = await createHome()
  const run = (...args: string[]) =>
    home.run(args, { env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key }, cwd: home.folder })

  const byModel = await run('usage', '--by', 'model')
  expect(byModel.stdout).toMatch(
    /MODEL +COST +ENTRIES +INPUT +CACHED +OUTPUT\nopenai\/gpt-5 +\$0.250000 +1 +12,000 +9,000 +30\ntotal/,
  )
  expect(byModel.stderr).toMatch(/^Organization usage from /)
  expect(JSON.parse((await run('usage', '--json')).stdout)).toMatchObject({ groupBy: 'day' })
  expect((await run('usage', '--csv')).stdout).toMatch(
    /^time,kind,.*\r\n.*openai\/gpt-5.*0.250000,USD,table\r\n$/,
  )
  expect(await run('usage', '--by', 'week')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('use day, project'),
  })
  expect((await run('budgets', 'ls')).stdout).toMatch(
    /user Ada +month +\$1.000000 +\$0.250000 +\$0.750000 +pause +ok/,
  )
  const paymentKey = await app.key(owner, ['billing:machine:charge'])
  const paymentClient = app.as(bearer(paymentKey))
  const request = { amount: '12.50', currency: 'usd', reason: 'Data\u0007', idempotencyKey: '1' }
  const { id } = await paymentClient.machinePayments.create({ ...request, payee: { name: 'Data Inc.' } })
  const runPayments = (...args: string[]) =>
    home.run(['payments', ...args], { env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: paymentKey.key } })
  const listed = await runPayments('ls', '--status', 'requires_approval')
  expect(listed.stdout).toMatch(/requires_approval +12.50 usd +Data Inc. +Data� /)
  const shown = (await runPayments('show', id)).stdout
  expect(shown).toMatch(/^12.50 usd {2}requires_approval\n {2}Data�\n {2}payee +Data Inc.\n/)
  expect(shown).toMatch(/decide +http.*\/settings\/organization\/payments\/.*\n.* {2}Created \(Ada\)\n/)
  expect(await run('payments', 'ls')).toMatchObject({ code: 4, stderr: expect.stringContaining('scope') })
  expect((await run('approvals', 'ls')).stdout).toBe(
    `A machine payment is waiting for approval\n  ${app.url}/approvals\n`,
  )
  expect(await run('budgets', 'set')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`${app.url}/settings/organization/usage`),
  })
})

test('search prints records matching words and ids, by type and project', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const { key } = await app.key(owner, ['terminal'])
  const client = await app.withSession(owner)
  const project = await client.projects.create({ name: 'Zebra crossing' })
  await client.canvas.create({
    projectId: project.id,
    type: 'note',
    content: 'White stripes\u0007 of a zebra',
  })
  await client.memory.create({ key: 'animals', content: 'A zebra sleeps standing' })
  const home = await createHome()
  const run = (...args: string[]) =>
    home.run(['search', ...args], { env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key }, cwd: home.folder })
  const { stdout } = await run('zebra')
  expect(stdout).toMatch(/^Zebra crossing {2}project {2}/)
  expect(stdout).toContain(`${app.url}/projects/zebra-crossing\n`)
  expect(stdout).toContain('animals  memory')
  const searchJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout).items
  expect(await searchJson('zebra', '--type', 'block', 'memory')).toMatchObject([
    { type: 'memory' },
    { type: 'block' },
  ])
  expect(await searchJson('zebra', '--project', 'zebra-crossing', '--type', 'memory')).toEqual([])
  expect(await searchJson(project.id)).toMatchObject([{ type: 'project', id: project.id }])
  expect(await run('zebra', '--type', 'horse')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Invalid type horse'),
  })
  expect((await run('okapi')).stderr).toBe('No records match\n')
})
