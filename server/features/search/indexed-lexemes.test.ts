import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function tenant() {
  const org = await app.organization()
  const client = await app.withSession(await app.person(org, { role: 'owner' }))
  const find = async (q: string) => (await client.search.find({ q })).items.map(({ title }) => title)
  return { orgId: org.id, client, find }
}

interface Entry {
  type: 'skill' | 'agent' | 'sms'
  title: string
  body?: string
  at?: Date
}

/** Inserts entries of types that every member sees, in this order. */
const insertEntries = (orgId: string, entries: Entry[]) => {
  const rows = entries.map(({ type, title, body = '', at = new Date() }) => ({ type, title, body, at }))
  return app.sql`
    insert into search_entries (org_id, type, id, scope_id, space_id, title, title_key, body, tsv, updated_at)
    select ${orgId}, e.type, gen_random_uuid(), ${orgId}, ${orgId}, e.title, search_words(e.title), e.body,
      search_vector(e.title, e.body, ${orgId}, e.type), e.at
    from jsonb_to_recordset(${app.sql.json(rows as never)}) as e (type text, title text, body text, at timestamptz)`
}

const repeat = (count: number, entry: Entry) => Array.from({ length: count }, () => entry)

test('organizations with ids that end alike find only their own records', async () => {
  const { orgId, client, find } = await tenant()
  const other = newId().slice(0, -8) + orgId.slice(-8)
  await insertEntries(other, [
    { type: 'skill', title: 'Quiet otter' },
    { type: 'skill', title: 'Otter of another organization' },
  ])
  await client.skills.create({ name: 'quiet-otter', description: 'Counts otters.', instructions: 'Count.' })
  for (const q of ['otter', 'ott', '"quiet otter"', 'oter']) expect(await find(q)).toEqual(['quiet-otter'])
})

test('a phrase finds titles and text with its words next to each other', async () => {
  const { client, find } = await tenant()
  for (const name of ['The blue whale', 'Whale watching in blue water', 'Blue sea'])
    await client.projects.create({ name })
  await client.projects.create({ name: 'Text', description: 'A blue whale eats krill.' })
  expect((await find('"blue whale"')).toSorted()).toEqual(['Text', 'The blue whale'])
  expect(await find('"blue whale" -krill')).toEqual(['The blue whale'])
  expect((await find('blue -whale')).toSorted()).toEqual(['Blue sea'])
})

test('an old title is found by a word common in newer messages', async () => {
  const { orgId, client, find } = await tenant()
  const { id } = await client.projects.create({ name: 'Annual penguin report' })
  await app.sql`update search_entries set updated_at = '2020-01-01' where id = ${id}`
  await insertEntries(orgId, repeat(500, { type: 'sms', title: '+1555', body: 'A penguin.' }))
  expect((await find('penguin'))[0]).toBe('Annual penguin report')
})

test("a type's newest title is found by a word in a thousand older titles and many newer messages", async () => {
  const { orgId, find } = await tenant()
  const hourAgo = new Date(Date.now() - 3_600_000)
  await insertEntries(orgId, [
    ...repeat(1100, { type: 'skill', title: 'The walrus', at: new Date('2020-01-01') }),
    { type: 'agent', title: 'Zoo walrus', at: hourAgo },
    ...repeat(500, { type: 'sms', title: '+1555', body: 'A walrus.' }),
  ])
  expect(await find('walrus')).toContain('Zoo walrus')
})
