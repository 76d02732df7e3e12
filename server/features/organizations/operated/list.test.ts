import { beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { countFigures } from './figures.ts'

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  app = await shareTestApp()
  operator = await app.operator()
})

/** Creates a session for each call: its step-up is recent after the clock has advanced. */
const operatorClient = () => app.withSession(operator.person)

test('organizations are listed with usage and limits, searched, filtered, and paged in every sort order', async () => {
  const names = ['Zoo quux', 'Alpha quux', 'Mid quux']
  const orgs = await Promise.all(names.map((name) => app.organization(name)))
  const people = await Promise.all(orgs.map((org) => app.person(org, { role: 'owner' })))
  await app.person(orgs[2]!)
  const client = await app.withSession(people[1]!)
  await client.projects.create({ name: 'One' })
  await (await operatorClient()).quotas.update({ id: orgs[1]!.id, projects: 5 })
  const details = await (await operatorClient()).operatedOrganizations.get({ id: orgs[1]!.id })
  expect(details).toMatchObject({
    name: 'Alpha quux',
    status: 'active',
    usage: { members: 1, projects: { used: 1, allowed: 5 }, spend: expect.stringMatching(/^0/) },
    owners: [{ id: people[1]!.id, email: people[1]!.email }],
    overrideCount: 1,
  })
  await client.projects.create({ name: 'Two' })
  const listed = await (await operatorClient()).operatedOrganizations.list({ search: 'alpha quux' })
  expect(listed.items[0]!.usage.projects).toEqual({ used: 2, allowed: 5 })
  app.clock.advance(2 * 86_400)
  await countFigures(app.app.system())
  const { operatedOrganizations } = await operatorClient()
  const read = async (input: Parameters<typeof operatedOrganizations.list>[0]) => {
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await operatedOrganizations.list({ search: 'QUUX', limit: 1, cursor, ...input })
      seen.push(...page.items.map(({ name }) => name.split(' ')[0]!))
      if (page.nextCursor === null) return seen
      cursor = page.nextCursor
    }
  }
  expect(await read({ sort: 'name' })).toEqual(['Alpha', 'Mid', 'Zoo'])
  expect((await read({ sort: 'members' }))[0]).toBe('Mid')
  expect((await read({ sort: 'projects' }))[0]).toBe('Alpha')
  for (const sort of ['created', 'files', 'storage', 'runs', 'spend', 'active'] as const)
    expect((await read({ sort })).toSorted()).toEqual(['Alpha', 'Mid', 'Zoo'])
  await (await operatorClient()).operatedOrganizations.suspend({ id: orgs[0]!.id, reason: 'Not paid' })
  expect(await read({ status: 'suspended' })).toEqual(['Zoo'])
  expect((await read({ status: 'active' })).toSorted()).toEqual(['Alpha', 'Mid'])
  expect(await read({ status: 'erasing' })).toEqual([])
})
