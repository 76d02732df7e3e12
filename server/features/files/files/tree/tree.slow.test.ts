import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'
import { createTreeModel, type Node, type TreeModel } from '../../../../testing/tree-model.ts'

/** Compares random operation sequences with an in-memory model: no entry is lost or leaked, and no cycle forms. */

const RUNS = 25
const STEPS_MAX = 50

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

interface Fixture {
  client: FileClient
  browser: FileClient['files']
  model: TreeModel
}

/** Does nothing if no entry is eligible. `at` and `into` choose among the entries that exist at that time. */
type Operation = (fixture: Fixture, at: number, into: number) => Promise<void>

const pick = <T>(list: T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]
const idOf = (node: Node | null) => node?.id ?? null
const someFolder = ({ model }: Fixture, at: number) => pick([null, ...model.folders()], at) ?? null
const freshName = ({ model }: Fixture) => `name ${model.all().length}`

const createFolder: Operation = async (fixture, _at, into) => {
  const parent = someFolder(fixture, into)
  const name = freshName(fixture)
  const { id } = await fixture.client.folder(name, idOf(parent))
  fixture.model.add({ id, name, kind: 'folder', parent })
}

const upload: Operation = async (fixture, _at, into) => {
  const parent = someFolder(fixture, into)
  const name = freshName(fixture)
  const { id } = await fixture.client.upload(name, idOf(parent))
  fixture.model.add({ id, name, kind: 'upload', parent })
}

const link: Operation = async (fixture, at, into) => {
  const { client, model } = fixture
  const linkable = model
    .live()
    .filter(({ kind, target }) => kind !== 'folder' && !(target && model.isMissing(target)))
  const target = pick(linkable, at)
  if (!target) return
  const parent = someFolder(fixture, into)
  const { id, name } = await client.link(target.id, idOf(parent))
  model.add({ id, name, kind: 'link', parent, target: target.target ?? target.id })
}

const move: Operation = async (fixture, at, into) => {
  const { client, model } = fixture
  const node = pick(model.live(), at)
  if (!node) return
  const parent = someFolder(fixture, into)
  const moving = client.files.update({ id: node.id, parentId: idOf(parent) })
  if (parent && (parent === node || model.isIn(parent, node))) {
    await expect(moving).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  } else {
    await moving
    node.parent = parent
  }
}

const remove: Operation = async ({ client, model }, at) => {
  const node = pick(model.live(), at)
  if (!node) return
  await client.files.remove({ id: node.id })
  model.remove(node)
}

const purge: Operation = async ({ browser, model }, at) => {
  const node = pick(model.trash(), at)
  if (!node) return
  await browser.remove({ id: node.id, permanent: 'true' })
  model.purge(node)
}

/** The model determines the expected folder independently of the response. */
const restore: Operation = async ({ client, model }, at) => {
  const node = pick(model.trash(), at)
  if (!node) return
  const nearest = node.from!.findLastIndex(({ id }) => !model.isMissing(id))
  const missing = node.from!.slice(nearest + 1).map(({ name }) => name)
  let parent = model.folders().find(({ id }) => id === node.from![nearest]?.id) ?? null
  await client.files.restore({ id: node.id })
  const { ancestors } = await client.files.get({ id: node.id })
  const recreated = missing.length === 0 ? [] : ancestors.slice(-missing.length)
  expect(recreated.map(({ name }) => name)).toEqual(missing)
  for (const { id, name } of recreated) {
    const namesakes = model.childrenOf(parent).filter((each) => each.kind === 'folder' && each.name === name)
    const existing = namesakes.find((each) => each.id === id)
    expect(existing !== undefined, 'restore reuses a folder of the same name').toBe(namesakes.length > 0)
    parent = existing ?? model.add({ id, name, kind: 'folder', parent })
  }
  expect(ancestors.at(-1)?.id ?? null).toBe(idOf(parent))
  model.restore(node, parent)
}

const copy: Operation = async (fixture, at, into) => {
  const { client, model } = fixture
  const node = pick(model.live(), at)
  if (!node || hasNamesakes(model, node)) return
  const parent = someFolder(fixture, into)
  const name = freshName(fixture)
  const { id } = await client.files.copy({ id: node.id, name, parentId: idOf(parent) })
  const originals = model.live()
  const top = model.add({ ...node, id, name, parent })
  const copies = new Map([[node.id, id]])
  if (node.kind === 'folder') await addCopies(fixture, node, top, originals, copies)
  for (const each of model.all()) {
    const isCopy = each !== top && [...copies.values()].includes(each.id)
    if (isCopy && each.target) each.target = copies.get(each.target) ?? each.target
  }
}

async function addCopies(
  fixture: Fixture,
  from: Node,
  to: Node,
  originals: Node[],
  copies: Map<string, string>,
) {
  const { items } = await fixture.client.files.list({ parentId: to.id, limit: '100' })
  const children = originals.filter(({ parent }) => parent === from)
  expect(items.map(({ name }) => name).toSorted()).toEqual(children.map(({ name }) => name).toSorted())
  for (const child of children) {
    const { id } = items.find(({ name }) => name === child.name)!
    copies.set(child.id, id)
    const copied = fixture.model.add({ ...child, id, parent: to })
    if (child.kind === 'folder') await addCopies(fixture, child, copied, originals, copies)
  }
}

/** The model matches copies to originals by name, so siblings of one name are ambiguous. */
const hasNamesakes = (model: TreeModel, folder: Node): boolean => {
  const children = folder.kind === 'folder' ? model.childrenOf(folder) : []
  const names = new Set(children.map(({ name }) => name))
  return names.size < children.length || children.some((child) => hasNamesakes(model, child))
}

async function expectSame({ client, model }: Fixture): Promise<void> {
  const { files, person } = client
  for (const folder of [null, ...model.folders()]) {
    const { items } = await files.list({ parentId: folder?.id, limit: '100' })
    const seen = items.map(({ id, name, parentId, targetMissing }) => ({ id, name, parentId, targetMissing }))
    const expected = model.childrenOf(folder).map(({ id, name, target }) => ({
      id,
      name,
      parentId: idOf(folder),
      targetMissing: target === undefined ? undefined : model.isMissing(target),
    }))
    expect(seen.toSorted(byId)).toEqual(expected.toSorted(byId))
  }
  const trash = (await files.list({ trashed: 'true', limit: '100' })).items
  expect(trash.map(({ id }) => id).toSorted()).toEqual(
    model
      .trash()
      .map(({ id }) => id)
      .toSorted(),
  )
  const stored = await app.sql<
    { id: string }[]
  >`select id from files where org_id = ${person.orgId} order by id`
  expect(stored.map(({ id }) => id)).toEqual(
    model
      .all()
      .map(({ id }) => id)
      .toSorted(),
  )
  const found = (await files.list({ search: 'name', limit: '100' })).items
  expect(found.map(({ id }) => id).toSorted()).toEqual(
    model
      .live()
      .slice(0, 100)
      .map(({ id }) => id)
      .toSorted(),
  )
}

const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1)

const OPERATIONS = { createFolder, upload, link, move, remove, restore, purge, copy }

type Step = { operation: keyof typeof OPERATIONS; at: number; into: number }

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('createFolder', 'upload') },
    { weight: 7, arbitrary: fc.constantFrom('move', 'remove', 'restore') },
    { weight: 3, arbitrary: fc.constantFrom('link', 'copy', 'purge') },
  ) as fc.Arbitrary<keyof typeof OPERATIONS>,
  at: fc.nat(1000),
  into: fc.nat(1000),
})

test('random operation sequences leave the tree equal to the model', async () => {
  const sequences = fc.array(step, { minLength: 5, maxLength: STEPS_MAX, size: 'max' })
  const play = async (steps: Step[]) => {
    const client = await createFileClient(app)
    const fixture = { client, browser: await client.withSession(), model: createTreeModel() }
    for (const { operation, at, into } of steps) {
      if (fixture.model.all().length < 90) await OPERATIONS[operation](fixture, at, into)
    }
    await expectSame(fixture)
    await expectValidTrees(app.sql)
  }
  await fc.assert(fc.asyncProperty(sequences, play), { numRuns: RUNS })
}, 180_000)
