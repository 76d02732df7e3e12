import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function tenant() {
  const org = await app.organization()
  const client = await app.inBrowser(await app.person(org, { role: 'owner' }))
  const find = async (q: string) => (await client.search.find({ q })).items.map(({ title }) => title)
  return { orgId: org.id, client, find }
}

/** Enters skills, which every member sees. */
const enter = (orgId: string, titles: string[], at: Date) => app.sql`
  insert into search_entries (org_id, type, id, scope_id, space_id, title, title_key, body, tsv, updated_at)
  select ${orgId}, 'skill', gen_random_uuid(), ${orgId}, ${orgId}, t.title, search_words(t.title), '',
    search_vector(t.title, '', ${orgId}, 'skill'), ${at}
  from unnest(${titles}::text[]) t (title)`

test('organizations whose ids have the same end find their own records only', async () => {
  const { orgId, client, find } = await tenant()
  const other = newId().slice(0, -8) + orgId.slice(-8)
  await enter(other, ['Quiet otter', 'Otter of another organization'], new Date())
  await client.skills.create({ name: 'quiet-otter', description: 'Counts otters.', instructions: 'Count.' })
  for (const q of ['otter', 'ott', '"quiet otter"', 'oter']) expect(await find(q)).toEqual(['quiet-otter'])
})

test('a phrase finds titles and texts that contain its words next to each other', async () => {
  const { client, find } = await tenant()
  for (const name of ['The blue whale', 'Whale watching in blue water', 'Blue sea'])
    await client.projects.create({ name })
  await client.projects.create({ name: 'Text', description: 'A blue whale eats krill.' })
  expect((await find('"blue whale"')).toSorted()).toEqual(['Text', 'The blue whale'])
  expect(await find('"blue whale" -krill')).toEqual(['The blue whale'])
  expect((await find('blue -whale')).toSorted()).toEqual(['Blue sea'])
})

test('an old title is found by a word that is common in newer messages', async () => {
  const { orgId, client, find } = await tenant()
  const { id } = await client.projects.create({ name: 'Annual penguin report' })
  await app.sql`update search_entries set updated_at = '2020-01-01' where id = ${id}`
  await app.sql`
    insert into search_entries (org_id, type, id, scope_id, space_id, title, title_key, body, tsv, updated_at)
    select ${orgId}, 'sms', gen_random_uuid(), ${orgId}, ${orgId}, '+1555', '1555', 'A penguin.',
      search_vector('+1555', 'A penguin.', ${orgId}, 'sms'), now()
    from generate_series(1, 500)`
  expect((await find('penguin'))[0]).toBe('Annual penguin report')
})
