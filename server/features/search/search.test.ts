import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { seedManyBlocks } from '../../testing/factories/many-blocks.ts'
import { createDocx, createPreviewFile, DOCX, paragraph } from '../../testing/factories/preview-files.ts'
import { insertSearchable } from '../../testing/factories/searchable.ts'
import { upload, uploadVersion } from '../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { claimBacklogs, releaseBacklogs, releaseTexts } from './backlog.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

async function tenant() {
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner' })
  const client = await app.withSession(person)
  const find = async (q: string, extra: object = {}) =>
    (await client.search.find({ q, ...extra })).items.map(({ type, title }) => `${type} ${title}`)
  return { org, person, client, find, headers: bearer(await app.key(person, ['files:write'])) }
}

/** The entry of a record as stored; `xmin` changes with every write. */
const entryOf = async (id: string) =>
  (await app.sql`select xmin::text, title, body from search_entries where id = ${id}`)[0]

test('every kind of id finds its record: records, events, deliveries, senders and carriers', async () => {
  const { person, client } = await tenant()
  const project = await app.project(person)
  const ids = await insertSearchable(app, person, {
    projectId: project.id,
    folderId: project.folderId,
    word: 'wombat',
  })
  for (const [type, id] of Object.entries({ project: project.id, ...ids })) {
    const { items } = await client.search.find({ q: ` ${id.toUpperCase()} ` })
    expect(items.map((item) => [item.type, item.id])).toEqual([[type, id]])
    expect(new URL(items[0]!.url).origin).toBe(app.url)
  }
  const [eventId, deliveryId] = [newId(), newId()]
  const { id: webhookId } = await client.webhooks.create({ name: 'Orders' })
  await app.sql`
    insert into events (org_id, id, direction, type, source, external_id, status, received_at)
    values (${person.orgId}, ${eventId}, 'inbound', 'order.paid', 'shop', 'evt_123456', 'delivered', now())`
  await app.sql`
    insert into deliveries (org_id, id, event_id, webhook_id, url, status, trigger, event_type, event_direction, created_at)
    values (${person.orgId}, ${deliveryId}, ${eventId}, ${webhookId}, '', 'succeeded', 'manual', 'order.paid', 'inbound', now())`
  for (const q of [eventId, deliveryId, 'evt_123456']) {
    const { items } = await client.search.find({ q })
    expect(items.map(({ type, id, title }) => [type, id, title])).toEqual([['event', eventId, 'order.paid']])
  }
  expect((await client.search.find({ q: `CA${ids.call}` })).items[0]).toMatchObject({
    type: 'call',
    id: ids.call,
  })
  expect((await client.search.find({ q: newId() })).items).toEqual([])
})

test('a result has the text around the match as plain text and links to its page', async () => {
  const { client } = await tenant()
  const { id: projectId } = await client.projects.create({ name: 'Zoo' })
  const content = `${'Long introduction. '.repeat(40)}The <b>wombat</b> digs ${'and sleeps '.repeat(40)}`
  const { id } = await client.canvas.create({ projectId, type: 'note', content })
  const { items } = await client.search.find({ q: 'wombat' })
  expect(items).toHaveLength(1)
  const [item] = items
  expect(item).toMatchObject({ type: 'block', id, projectId })
  expect(item!.snippet).toMatch(/^….*The <b>wombat<\/b> digs and sleeps.*…$/)
  expect(item!.snippet!.length).toBeLessThan(260)
  expect(item!.url).toMatch(new RegExp(`/projects/${projectId}\\?block=${id}$`))
})

test("changes, renames, trash and deletion apply to the next search; moving a block doesn't write the index", async () => {
  const { client, find, headers } = await tenant()
  const { id: projectId } = await client.projects.create({ name: 'Alpha centauri' })
  const block = await client.canvas.create({
    projectId,
    type: 'note',
    title: 'Numbat',
    content: 'eats termites',
  })
  const before = await entryOf(block.id)
  await client.canvas.move({ projectId, positions: [{ id: block.id, x: 99, y: 99 }] })
  await client.canvas.update({ projectId, blockId: block.id, color: 'red' })
  expect(await entryOf(block.id)).toEqual(before)
  await client.canvas.update({ projectId, blockId: block.id, content: 'eats ants' })
  expect([await find('termites'), await find('ants')]).toEqual([[], ['block Numbat']])
  await client.projects.update({ id: projectId, name: 'Beta centauri' })
  expect([await find('alpha'), await find('beta')]).toEqual([[], ['project Beta centauri']])
  await client.canvas.remove({ projectId, blockId: block.id })
  expect(await entryOf(block.id)).toBeUndefined()
  const file = (await upload(app, headers, 'x', { name: 'Thylacine.txt' })).body.data
  expect(await find('thylacine')).toEqual(['file Thylacine.txt'])
  await client.files.remove({ id: file.id })
  expect(await find('thylacine')).toEqual([])
  await client.files.restore({ id: file.id })
  expect(await find('thylacine')).toEqual(['file Thylacine.txt'])
})

test('uploaded file text is found: plain text and Word, not unreadable files', async () => {
  const owner = await tenant()
  const text = (await upload(app, owner.headers, 'Bilbies are marsupials', { name: 'notes.md' })).body.data
  const files = [
    { name: 'letter.docx', mimeType: DOCX, bytes: createDocx(paragraph('Dear bandicoot')) },
    { name: 'list.csv', mimeType: 'text/csv', bytes: 'animal;food\npotoroo;fungi' },
    { name: 'broken.docx', mimeType: DOCX, bytes: 'no archive' },
  ]
  for (const file of files) await createPreviewFile(app, owner, file)
  const countDue = async () =>
    (await app.sql`select from search_entries where org_id = ${owner.org.id} and text_due_at is not null`)
      .length
  await expect.poll(countDue, { timeout: 60_000 }).toBe(0)
  expect(await owner.find('bandicoot')).toEqual(['file letter.docx'])
  expect(await owner.find('potoroo')).toEqual(['file list.csv'])
  expect(await owner.find('bilbies')).toEqual(['file notes.md'])
  expect(await owner.find('broken')).toEqual(['file broken.docx'])
  await owner.client.files.update({ id: text.id, name: 'renamed.md' })
  expect(await owner.find('marsupials')).toEqual(['file renamed.md'])
  // Search finds the current content of a file, not its earlier contents.
  await uploadVersion(app, owner.headers, text.id, 'Wombats dig', { name: 'renamed.md' })
  await expect.poll(countDue, { timeout: 60_000 }).toBe(0)
  expect([await owner.find('wombats'), await owner.find('bilbies')]).toEqual([['file renamed.md'], []])
}, 90_000)

test('an empty search lists the records the member last opened, then those they changed', async () => {
  const { client, org } = await tenant()
  const [first, second] = await Promise.all(
    ['One', 'Two', 'Three'].map((name) => client.projects.create({ name })),
  )
  app.clock.advance(1000)
  await client.search.opened({ type: 'project', id: second!.id })
  app.clock.advance(1000)
  await client.search.opened({ type: 'project', id: first!.id })
  const { items } = await client.search.find({ types: 'project' })
  expect(items.map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
  const other = await app.withSession(await app.person(org, { role: 'admin' }))
  expect((await other.search.find({ types: 'project' })).items).toHaveLength(3)
})

test('a worker continues where a killed worker stopped, and organizations take turns', async () => {
  const { client, org } = await tenant()
  const { id: projectId } = await client.projects.create({ name: 'Many blocks' })
  const blocks = (await seedManyBlocks(app.sql, org.id, projectId, 1200)).toSorted()
  const now = app.clock.now()
  // A killed process has indexed 500 records and claimed the next batch.
  await app.sql`
    insert into search_backlog (org_id, type, folder_id, after_scope, after_id, due_at)
    values (${org.id}, 'block', ${org.id}, ${projectId}, ${blocks[499]!}, ${new Date(now.getTime() + 3_600_000)})`
  const other = await tenant()
  const orgIds = [org.id, other.org.id]
  await app.sql`
    insert into search_backlog (org_id, type, folder_id, after_scope, after_id, due_at)
    select o, type, o, o, o, ${new Date(now.getTime() + 3_600_000)} from unnest(${orgIds}::uuid[]) o, unnest(${['agent', 'run', 'sms']}::text[]) type`
  const later = new Date(now.getTime() + 7_200_000)
  const claim = { running: [], perOrganization: 1, limit: 2, now: later, leasedUntil: later }
  const claimed = await claimBacklogs(app.sql, claim)
  expect(claimed.map(({ orgId }) => orgId).toSorted()).toEqual(orgIds.toSorted())
  await releaseBacklogs(app.sql, now)
  const remaining = () => app.sql`select from search_backlog where org_id = any(${orgIds}::uuid[])`
  await expect.poll(async () => (await remaining()).length).toBe(0)
  const indexed = await app.sql<{ id: string }[]>`
    select id from search_entries where org_id = ${org.id} and type = 'block' order by id`
  expect(indexed.map(({ id }) => id)).toEqual(blocks.slice(500))
})

test('the file whose text a killed process was reading is due at once after a restart', async () => {
  const { client, org } = await tenant()
  await client.projects.create({ name: 'Read halfway' })
  const [now, leasedUntil] = [app.clock.now(), new Date(app.clock.now().getTime() + 300_000)]
  const dueAt: string[] = []
  const rolledBack = app.sql.begin(async (sql) => {
    await sql`update search_entries set text_due_at = ${leasedUntil}, text_attempts = 1 where org_id = ${org.id}`
    await releaseTexts(sql, now)
    const rows = await sql<{ dueAt: string }[]>`
      select distinct text_due_at as "dueAt" from search_entries where org_id = ${org.id}`
    dueAt.push(...rows.map((row) => row.dueAt))
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(dueAt).toEqual([now.toISOString()])
})

test('a worker indexes rows older than the search index', async () => {
  const { client, find, org } = await tenant()
  await client.projects.create({ name: 'Old kookaburra' })
  await app.sql`delete from search_entries where org_id = ${org.id}`
  expect(await find('kookaburra')).toEqual([])
  const nil = '00000000-0000-0000-0000-000000000000'
  await app.sql`
    insert into search_backlog (org_id, type, folder_id, after_scope, after_id, due_at)
    select ${org.id}, type, ${org.id}, ${nil}, ${nil}, 'epoch' from unnest(${['project', 'agent', 'block']}::text[]) type`
  await expect.poll(() => find('kookaburra'), { timeout: 30_000 }).toEqual(['project Old kookaburra'])
  await expect
    .poll(async () => (await app.sql`select from search_backlog where org_id = ${org.id}`).length, {
      timeout: 30_000,
    })
    .toBe(0)
  const now = app.clock.now()
  const claim = { running: [], perOrganization: 1, limit: 5, now, leasedUntil: now }
  expect(await claimBacklogs(app.sql, claim)).toEqual([])
})

test('special characters and long queries do not fail, and an unknown type is refused by field name', async () => {
  const { find, client } = await tenant()
  await client.projects.create({ name: 'Emu & co' })
  for (const q of [
    'emu & | ! :* <->',
    "'emu",
    '"emu',
    'emu -(',
    '(((',
    '-',
    'or',
    '\\',
    '%',
    'é'.repeat(150),
    'a '.repeat(140),
  ])
    expect(Array.isArray(await find(q))).toBe(true)
  expect(await find('"emu co"')).toEqual(['project Emu & co'])
  expect(await find('emu -co')).toEqual([])
  expect(await find('ostrich or emu')).toEqual(['project Emu & co'])
  await expect(client.search.find({ q: 'emu', types: 'bird' })).rejects.toThrow(/types/)
  await expect(client.search.find({ q: 'emu', projectId: newId() })).rejects.toThrow(/not found/i)
})

test('search tolerates typos, with and without the similarity extension', async () => {
  const { client, find } = await tenant()
  await client.projects.create({ name: 'Cassowary' })
  const errors = ['casowary', 'cassowaryy', 'cassomary', 'csasowary', 'casso', 'caso']
  const found = errors.map(() => ['project Cassowary'])
  expect(await Promise.all(errors.map((q) => find(q)))).toEqual(found)
  await app.sql`alter index search_entries_similar rename to search_entries_gone`
  try {
    expect(await Promise.all(errors.map((q) => find(q)))).toEqual(found)
  } finally {
    await app.sql`alter index search_entries_gone rename to search_entries_similar`
  }
})

test('a search with a typo finds titles from any time, even if most titles have a similar word', async () => {
  const { client, find, org } = await tenant()
  const { id: projectId } = await client.projects.create({ name: 'Old pelican' })
  await app.sql`update search_entries set updated_at = '2020-01-01' where org_id = ${org.id}`
  // More projects than a search reads among the newest records.
  await app.sql`
    insert into search_entries (org_id, type, id, scope_id, project_id, space_id, title, title_key, body, tsv, updated_at)
    select ${org.id}, 'project', ${projectId}, gen_random_uuid(), ${projectId}, ${projectId}, 'Photo', 'photo', '',
      search_vector('Photo', '', ${projectId}, 'project'), now() from generate_series(1, 4100)`
  expect(await find('pelicann')).toEqual(['project Old pelican'])
  const { items } = await client.search.find({ q: 'phtoo', limit: 3 })
  expect(items.every(({ title }) => title === 'Photo')).toBe(true)
})

test('tables are found by name, description, columns and choices as these change, and not while they are deleted', async () => {
  const { person, client, find } = await tenant()
  const { id: projectId } = await app.project(person)
  const table = await client.tables.create({
    projectId,
    name: 'Suppliers',
    description: 'Everyone who sells us timber',
    columns: [{ name: 'Lead time' }, { name: 'Rating', type: 'choice', choices: [{ name: 'Excellent' }] }],
  })
  for (const q of ['supplier', 'timber', 'lead time', 'excellent', table.id])
    expect(await find(q)).toEqual(['table Suppliers'])
  const { items } = await client.search.find({ q: 'suppliers', types: 'table', projectId })
  expect(items).toMatchObject([{ id: table.id, projectId }])
  expect(items[0]!.url).toBe(`${app.url}/projects/${projectId}/tables/${table.id}`)
  const before = await entryOf(table.id)
  await client.tables.upsert({ id: table.id, rows: [{ values: { lead_time: 'Six weeks' } }] })
  expect(await entryOf(table.id)).toEqual(before)
  await client.tables.update({ id: table.id, name: 'Vendors', remove: ['Rating'] })
  expect([await find('suppliers'), await find('vendors')]).toEqual([[], ['table Vendors']])
  await client.tables.remove({ id: table.id })
  expect(await find('vendors')).toEqual([])
  await client.tables.undelete({ id: table.id })
  expect(await find('vendors')).toEqual(['table Vendors'])
})

test('tables from before the search had them are indexed in the background', async () => {
  const { person, client, find } = await tenant()
  const { id: projectId } = await app.project(person)
  const { id } = await client.tables.create({ projectId, name: 'Ledger' })
  await app.sql`delete from search_entries where org_id = ${person.orgId} and type = 'table'`
  expect(await find('ledger')).toEqual([])
  await app.sql`select * from search_fill_table(${person.orgId}, ${NIL}, ${NIL}, 10)`
  expect(await find('ledger')).toEqual(['table Ledger'])
  expect((await client.search.find({ q: '' })).items.some((item) => item.id === id)).toBe(true)
})

const NIL = '00000000-0000-0000-0000-000000000000'
