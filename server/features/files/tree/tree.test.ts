import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { expectValidTrees } from '../../../testing/tree-check.ts'
import { createTreeModel, type Node, type TreeModel } from '../../../testing/tree-model.ts'

/** Random histories of a tree beside a plain model of it: nothing is lost, nothing leaks, there is never a circle. */

const RUNS = 25
const STEPS_MAX = 50

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

interface World {
  somebody: FileClient
  browser: FileClient['files']
  model: TreeModel
}

/** Takes a step if there is something to take it with. The numbers choose among what there is at that time. */
type Act = (world: World, at: number, into: number) => Promise<void>

const pick = <T>(list: T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]
const idOf = (node: Node | null) => node?.id ?? null
const someFolder = ({ model }: World, at: number) => pick([null, ...model.folders()], at) ?? null
const freshName = ({ model }: World) => `name ${model.all().length}`

const makeFolder: Act = async (world, _at, into) => {
  const parent = someFolder(world, into)
  const name = freshName(world)
  const { id } = await world.somebody.folder(name, idOf(parent))
  world.model.add({ id, name, kind: 'folder', parent })
}

const upload: Act = async (world, _at, into) => {
  const parent = someFolder(world, into)
  const name = freshName(world)
  const { id } = await world.somebody.upload(name, idOf(parent))
  world.model.add({ id, name, kind: 'upload', parent })
}

const link: Act = async (world, at, into) => {
  const { somebody, model } = world
  const linkable = model
    .live()
    .filter(({ kind, target }) => kind !== 'folder' && !(target && model.isMissing(target)))
  const target = pick(linkable, at)
  if (!target) return
  const parent = someFolder(world, into)
  const { id, name } = await somebody.link(target.id, idOf(parent))
  model.add({ id, name, kind: 'link', parent, target: target.target ?? target.id })
}

const move: Act = async (world, at, into) => {
  const { somebody, model } = world
  const node = pick(model.live(), at)
  if (!node) return
  const parent = someFolder(world, into)
  const moving = somebody.files.update({ id: node.id, parentId: idOf(parent) })
  if (parent && (parent === node || model.isIn(parent, node))) {
    await expect(moving).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  } else {
    await moving
    node.parent = parent
  }
}

const remove: Act = async ({ somebody, model }, at) => {
  const node = pick(model.live(), at)
  if (!node) return
  await somebody.files.remove({ id: node.id })
  model.remove(node)
}

const purge: Act = async ({ browser, model }, at) => {
  const node = pick(model.trash(), at)
  if (!node) return
  await browser.remove({ id: node.id, permanent: 'true' })
  model.purge(node)
}

/** Where it must come back is worked out from the model, before and beside what the server says. */
const restore: Act = async ({ somebody, model }, at) => {
  const node = pick(model.trash(), at)
  if (!node) return
  const nearest = node.from!.findLastIndex(({ id }) => !model.isMissing(id))
  const missing = node.from!.slice(nearest + 1).map(({ name }) => name)
  let parent = model.folders().find(({ id }) => id === node.from![nearest]?.id) ?? null
  await somebody.files.restore({ id: node.id })
  const { ancestors } = await somebody.files.get({ id: node.id })
  const remade = missing.length === 0 ? [] : ancestors.slice(-missing.length)
  expect(remade.map(({ name }) => name)).toEqual(missing)
  for (const { id, name } of remade) {
    const namesakes = model.childrenOf(parent).filter((each) => each.kind === 'folder' && each.name === name)
    const known = namesakes.find((each) => each.id === id)
    expect(known !== undefined, 'a folder of that name is used again').toBe(namesakes.length > 0)
    parent = known ?? model.add({ id, name, kind: 'folder', parent })
  }
  expect(ancestors.at(-1)?.id ?? null).toBe(idOf(parent))
  model.restore(node, parent)
}

const copy: Act = async (world, at, into) => {
  const { somebody, model } = world
  const node = pick(model.live(), at)
  if (!node || hasNamesakes(model, node)) return
  const parent = someFolder(world, into)
  const name = freshName(world)
  const { id } = await somebody.files.copy({ id: node.id, name, parentId: idOf(parent) })
  const originals = model.live()
  const top = model.add({ ...node, id, name, parent })
  const copies = new Map([[node.id, id]])
  if (node.kind === 'folder') await addCopies(world, node, top, originals, copies)
  for (const each of model.all()) {
    const isCopy = each !== top && [...copies.values()].includes(each.id)
    if (isCopy && each.target) each.target = copies.get(each.target) ?? each.target
  }
}

async function addCopies(world: World, from: Node, to: Node, originals: Node[], copies: Map<string, string>) {
  const { items } = await world.somebody.files.list({ parentId: to.id, limit: '100' })
  const children = originals.filter(({ parent }) => parent === from)
  expect(items.map(({ name }) => name).toSorted()).toEqual(children.map(({ name }) => name).toSorted())
  for (const child of children) {
    const { id } = items.find(({ name }) => name === child.name)!
    copies.set(child.id, id)
    const copied = world.model.add({ ...child, id, parent: to })
    if (child.kind === 'folder') await addCopies(world, child, copied, originals, copies)
  }
}

/** Copies are told apart by their names. */
const hasNamesakes = (model: TreeModel, folder: Node): boolean => {
  const children = folder.kind === 'folder' ? model.childrenOf(folder) : []
  const names = new Set(children.map(({ name }) => name))
  return names.size < children.length || children.some((child) => hasNamesakes(model, child))
}

async function expectSame({ somebody, model }: World): Promise<void> {
  const { files, person } = somebody
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

const EVENT_SCENARIOS = { makeFolder, upload, link, move, remove, restore, purge, copy }

type Step = { act: keyof typeof EVENT_SCENARIOS; at: number; into: number }

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('makeFolder', 'upload') },
    { weight: 7, arbitrary: fc.constantFrom('move', 'remove', 'restore') },
    { weight: 3, arbitrary: fc.constantFrom('link', 'copy', 'purge') },
  ) as fc.Arbitrary<keyof typeof EVENT_SCENARIOS>,
  at: fc.nat(1000),
  into: fc.nat(1000),
})

test('random histories agree with a plain model', async () => {
  const histories = fc.array(step, { minLength: 5, maxLength: STEPS_MAX, size: 'max' })
  const play = async (steps: Step[]) => {
    const somebody = await createFileClient(app)
    const world = { somebody, browser: await somebody.inBrowser(), model: createTreeModel() }
    for (const { act, at, into } of steps) {
      if (world.model.all().length < 90) await EVENT_SCENARIOS[act](world, at, into)
    }
    await expectSame(world)
    await expectValidTrees(app.sql)
  }
  await fc.assert(fc.asyncProperty(histories, play), { numRuns: RUNS })
}, 180_000)
