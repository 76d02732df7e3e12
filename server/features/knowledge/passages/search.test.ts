import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFileClient, type FileClient } from '../../../testing/clients/file-client.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let client: FileClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  client = await createFileClient(app)
})
afterAll(() => app.close())

/** A worker indexes within seconds. */
const waitFor = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 200 })

const api = () => app.as(client.headers)
const find = async (q: string, query: object = {}, headers = client.headers) =>
  (await app.as(headers).passages.search({ q, ...query })).items

const ready = (id: string) =>
  waitFor(async () => {
    const { knowledge } = await api().files.get({ id })
    expect(knowledge?.state).toBe('ready')
    return knowledge!
  })

const write = async (name: string, text: string, more: object = {}) => {
  const { id } = await api().fileTexts.write({ name, text, ...more })
  await ready(id)
  return id
}

describe('a file', () => {
  test('is found by a question, with heading, version and place', async () => {
    const text = '# Lease\n\n## Notice\n\nThe tenant must give three months of notice before moving out.\n'
    const id = await write('contract.md', text)
    const [best] = await find('How much notice do tenants have to give?')
    expect(best).toMatchObject({
      source: { type: 'file', id, name: 'contract.md', version: 1 },
      page: null,
      heading: 'Lease › Notice',
      trust: 'untrusted',
      projectId: null,
    })
    expect(best!.text).toBe(text.slice(best!.from, best!.to))
    expect(best!.text).toContain('three months of notice')
    const [again] = await find('notice tenants')
    expect(again!.key).toBe(best!.key)
  })

  test('is explained with which of the question’s words are stop words', async () => {
    const { headers } = await createFileClient(app)
    const api = app.as(headers)
    const texts = {
      'rent.md': 'The rent for the mill is due in May.',
      'miete.md': 'Für die Mühle und den Hof ist die Miete im Mai fällig.',
    }
    for (const [name, text] of Object.entries(texts)) {
      const { id } = await api.fileTexts.write({ name, text })
      await waitFor(async () => expect((await api.files.get({ id })).knowledge?.state).toBe('ready'))
    }
    const stopWords = async (q: string) => {
      const [best] = await find(q, { explain: 'true' }, headers)
      return {
        name: best!.source.name,
        stop: [
          ...new Set(best!.terms!.filter(({ stopWord }) => stopWord).map(({ term }) => term)),
        ].toSorted(),
        telling: best!.terms!.filter(({ stopWord }) => !stopWord).map(({ term }) => term),
      }
    }
    const english = await stopWords('When is the rent for the mill due?')
    expect(english).toMatchObject({ name: 'rent.md', stop: ['for', 'is', 'the'] })
    expect(english.telling).toEqual(expect.arrayContaining(['rent', 'mill', 'due']))
    const german = await stopWords('Wann ist die Miete für die Mühle und den Hof fällig?')
    expect(german).toMatchObject({ name: 'miete.md', stop: ['den', 'die', 'fur', 'ist', 'und'] })
  })

  test('is found within its folders, its project or itself, however common its words are', async () => {
    const project = await app.project(client.person)
    const { folderId } = await api().projects.get({ id: project.id })
    const shelf = await client.folder('Shelf', folderId!)
    const drawer = await client.folder('Drawer', shelf.id)
    const text = 'Every lantern in the tower is lit at dusk.'
    const inside = await write('inside.txt', text, { parentId: drawer.id })
    const outside = await write('outside.txt', text)
    const idsWithin = async (...ids: string[]) =>
      (await find('When is the lantern lit?', { within: ids.join(',') })).map(({ source }) => source.id)
    for (const id of [inside, drawer.id, shelf.id, project.id]) expect(await idsWithin(id)).toEqual([inside])
    expect((await idsWithin(outside, project.id)).toSorted()).toEqual([inside, outside].toSorted())
    const stranger = await createFileClient(app)
    const query = { within: inside }
    expect(await find('When is the lantern lit?', query, stranger.headers)).toEqual([])
    await expect(find('lantern', { within: 'shelf' })).rejects.toThrow(
      'query.within must be a comma-separated',
    )
  })

  test('is found only by its new content after it is replaced', async () => {
    const folder = await client.folder('Replaced')
    const place = { parentId: folder.id, replace: true }
    const id = await write('price.txt', 'A zeppelin costs forty crowns.', place)
    expect(await find('zeppelin')).toHaveLength(1)
    await api().fileTexts.write({ name: 'price.txt', text: 'A gondola costs thirty crowns.', ...place })
    expect(await find('zeppelin')).toEqual([])
    await ready(id)
    expect(await find('zeppelin')).toEqual([])
    expect((await find('gondola')).map(({ source }) => source.version)).toEqual([2])
    await api().fileVersions.restore({ id, version: 1 })
    await ready(id)
    expect((await find('zeppelin')).map(({ source }) => source.version)).toEqual([3])
  })

  test('is found again after it is restored from the trash, and not before', async () => {
    const id = await write('tunnel.txt', 'The tunnel below the harbor is called Otter.')
    await api().files.remove({ id })
    expect(await find('otter harbor')).toEqual([])
    await waitFor(async () => {
      const rows = await app.sql`select from passage_sources where item_id = ${id}`
      expect(rows).toHaveLength(0)
    })
    await api().files.restore({ id })
    await ready(id)
    expect((await find('otter harbor')).map(({ source }) => source.id)).toEqual([id])
  })

  test('is found again after its folder is restored from the trash, and not before', async () => {
    const folder = await client.folder('Trashed later')
    const id = await write('heron.txt', 'Herons nest in the old lighthouse.', { parentId: folder.id })
    await api().files.remove({ id: folder.id })
    expect(await find('herons lighthouse')).toEqual([])
    await api().files.restore({ id: folder.id })
    expect((await find('herons lighthouse')).map(({ source }) => source.id)).toEqual([id])
  })

  test('follows its folder from project to project, and its name', async () => {
    const [from, to] = [await app.project(client.person), await app.project(client.person)]
    const id = await write('walrus.txt', 'The walrus signs on Friday.', { parentId: from.folderId })
    expect(await find('walrus', { projectId: from.id })).toHaveLength(1)
    await api().files.update({ id, parentId: to.folderId, name: 'Northwind agreement.txt' })
    expect(await find('walrus', { projectId: from.id })).toEqual([])
    await waitFor(async () => expect(await find('walrus', { projectId: to.id })).toHaveLength(1))
    const [byName] = await find('northwind', { projectId: to.id, explain: 'true' })
    expect(byName).toMatchObject({ source: { id, name: 'Northwind agreement.txt' }, projectId: to.id })
    expect(byName!.parts!.heading).toBeGreaterThan(0)
  })

  test('says so if it has no text', async () => {
    const { id } = await api().fileTexts.write({ name: 'empty.txt', text: '' })
    const { knowledge } = await api().files.get({ id })
    expect(knowledge).toMatchObject({ state: 'unsupported', passages: 0, problem: null })
  })
})

describe('a note and a memory', () => {
  test('are found as they are now, and are their author’s own', async () => {
    const project = await app.project(client.person)
    const note = await api().canvas.create({
      projectId: project.id,
      type: 'note',
      content: 'The pelican budget is nine thousand.',
    })
    const memory = await api().memory.create({
      projectId: project.id,
      key: 'pelican colors',
      content: 'The pelican logo is teal.',
    })
    await waitFor(async () => {
      const found = await find('pelican', { projectId: project.id })
      expect(found.map(({ source, trust }) => [source.type, source.id, trust]).sort()).toEqual([
        ['block', note.id, 'own'],
        ['memory', memory.id, 'own'],
      ])
    })
    await api().canvas.update({ projectId: project.id, blockId: note.id, content: 'The budget is gone.' })
    await api().memory.update({ id: memory.id, content: 'The logo is teal.', key: 'colors' })
    await waitFor(async () => expect(await find('pelican', { projectId: project.id })).toEqual([]))
  })
})

describe('access', () => {
  test('a private project’s passages are its creator’s, and a stranger finds none', async () => {
    const { org, person, headers } = await app.newUser()
    const project = await app.project(person, { visibility: 'private' })
    await app
      .as(headers)
      .memory.create({ projectId: project.id, key: 'diary', content: 'The marmot sleeps.' })
    const colleague = await app.person(org, { role: 'owner' })
    const stranger = await app.newUser()
    await waitFor(async () => expect(await find('marmot', {}, headers)).toHaveLength(1))
    expect(await find('marmot', {}, bearer(await app.key(colleague)))).toEqual([])
    expect(await find('marmot', {}, stranger.headers)).toEqual([])
    const { status, body } = await app.request(
      'GET',
      `/api/v1/knowledge/search?q=marmot&projectId=${project.id}`,
      { headers: stranger.headers },
    )
    expect([status, body.error.message]).toEqual([404, 'Project not found'])
  })

  test('a key without files:read learns nothing about the words of files', async () => {
    const { person, headers } = await createFileClient(app)
    const memory = { scope: 'org' as const, key: 'birds', content: 'The cormorant dives for eels.' }
    await app.as(headers).memory.create(memory)
    const narrow = app.as(bearer(await app.key(person, ['models:read'])))
    const search = (q: string) => narrow.passages.search({ q, explain: 'true' })
    const before = await waitFor(async () => {
      const found = await search('cormorant eels')
      expect(found.items).toHaveLength(1)
      return found
    })
    const { id } = await app
      .as(headers)
      .fileTexts.write({ name: 'a.txt', text: 'Cormorant eels, and more eels.' })
    await waitFor(async () => {
      const { knowledge } = await app.as(headers).files.get({ id })
      expect(knowledge?.state).toBe('ready')
    })
    const { tookMs: _, ...after } = await search('cormorant eels')
    const { tookMs: __, ...first } = before
    expect(after).toEqual(first)
    expect(first).toMatchObject({ passages: 1, candidates: 1 })
  })

  test('a key without files:read finds no files', async () => {
    await write('beaver.txt', 'The beaver builds the dam.')
    const key = await app.key(client.person, ['models:read'])
    expect(await find('beaver')).toHaveLength(1)
    expect(await find('beaver', {}, bearer(key))).toEqual([])
  })

  test.each([
    ['within=x', 'query.within must be a comma-separated list of at most 50 ids'],
    ['types=note', 'query.types must be a comma-separated list of file, block, memory, session'],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await app.request('GET', `/api/v1/knowledge/search?q=a&${query}`, {
      headers: client.headers,
    })
    expect([status, body.error.message]).toEqual([400, message])
  })
})
