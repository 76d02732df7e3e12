import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Person } from '../../../testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const WORDS = 'amber birch cedar delta ember flint grove hazel ivory jasper kelp lotus'.split(' ')
const QUERIES = ['amber birch', 'cedar delta ember', 'flint', 'grove hazel lotus', 'kelp ivory jasper amber']

/** The same numbers for the same seed. */
function randomOf(seed: number) {
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  return { next, text: () => Array.from({ length: 6 + next(30) }, () => WORDS[next(WORDS.length)]).join(' ') }
}

const indexed = () =>
  vi.waitFor(
    async () => {
      const [row] =
        await app.sql`select count(*)::int as waiting from passage_sources where due_at is not null`
      expect(row!.waiting).toBe(0)
    },
    { timeout: 20_000, interval: 100 },
  )

test.each([11, 12])('what a caller can’t see changes neither results nor order (seed %i)', async (seed) => {
  const random = randomOf(seed)
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const workspaces = [org.workspaceId, await app.workspace(org), await app.workspace(org)]
  const members = [await app.person(org), await app.person(org)]
  const people = [owner, ...members]
  const projects: (Awaited<ReturnType<TestApp['project']>> & { creator: Person })[] = []
  for (let n = 0; n < 8; n++) {
    const creator = people[random.next(people.length)]!
    const visibility = random.next(3) === 0 ? ('private' as const) : ('team' as const)
    const project = await app.project(creator, { visibility, workspaceIds: [workspaces[random.next(3)]!] })
    projects.push({ ...project, creator })
  }
  const clients = new Map(
    await Promise.all(people.map(async (person) => [person, await app.withSession(person)] as const)),
  )
  const addNotes = async (chosen: typeof projects) => {
    for (const { id: projectId } of chosen)
      for (let n = 0; n < 3; n++)
        await app.sql`
          insert into blocks (org_id, project_id, id, type, x, y, width, height, content, created_by, created_at, updated_at)
          values (${org.id}, ${projectId}, gen_random_uuid(), 'note', 0, 0, 1, 1, ${random.text()}, ${owner.id}, now(), now())`
    await indexed()
  }
  const visibleTo = async (person: Person) =>
    new Set((await clients.get(person)!.projects.list({ limit: 100 })).items.map(({ id }) => id))
  const resultsOf = async (person: Person) => {
    const results = []
    for (const q of QUERIES) {
      const { items, passages } = await clients
        .get(person)!
        .passages.search({ q, limit: 50, explain: 'true' })
      results.push({ passages, items })
    }
    return results
  }
  await addNotes(projects)
  const before = new Map<Person, Awaited<ReturnType<typeof resultsOf>>>()
  for (const person of people) {
    const visible = await visibleTo(person)
    const results = await resultsOf(person)
    before.set(person, results)
    const found = new Set(results.flatMap(({ items }) => items.map(({ projectId }) => projectId!)))
    expect([...found].filter((id) => !visible.has(id))).toEqual([])
    expect(results[0]!.passages).toBe(3 * projects.filter(({ id }) => visible.has(id)).length)
  }
  for (const person of people) {
    const visible = await visibleTo(person)
    await addNotes(projects.filter(({ id }) => !visible.has(id)))
    expect(await resultsOf(person)).toEqual(before.get(person))
    for (const other of people) if (other !== person) before.set(other, await resultsOf(other))
  }
})

test('what a caller can’t see takes no place, however much of it has the words', async () => {
  const { org, person, client } = await app.newUser({ role: 'owner' })
  const project = await app.project(person)
  const [hidden] = await app.sql`
    insert into passage_sources (org_id, id, type, item_id, scope_id, space_id, state, passages)
    values (${org.id}, gen_random_uuid(), 'memory', gen_random_uuid(), ${org.id}, ${project.id}, 'ready', 7000)
    returning id`
  await app.sql`
    insert into passages (org_id, source_id, ordinal, space_id, from_char, to_char, heading, context, language, text, length, tsv)
    select ${org.id}, ${hidden!.id}, n, ${project.id}, 0, 1, '', '', 'english', 'x', 2, to_tsvector('english', 'quartz vein')
    from generate_series(1, 7000) n`
  await client.canvas.create({ projectId: project.id, type: 'note', content: 'The quartz vein is wide.' })
  await indexed()
  const { items, passages } = await client.passages.search({ q: 'quartz vein' })
  expect(items.map(({ text }) => text)).toEqual(['The quartz vein is wide.'])
  expect(passages).toBe(1)
})
