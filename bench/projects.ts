import { seedManyBlocks } from '../server/testing/factories/many-blocks.ts'
import { seedManyProjects } from '../server/testing/factories/many-projects.ts'
import { openBenchDatabase } from './bench-database.ts'
import { type Case, compare, compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { reportFloor, reportGrowth, reportTimes } from './report.ts'

const READERS = 320
const MOVERS = 32
const FEW = 1000
const MANY = 100_000
const SHOWN_BLOCKS = 500
const MOVED_BLOCKS = 1000
const ROUNDS = 300

/** Compares with the floor, and few with many projects. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database

async function createTenant(count: number, callers: number) {
  const org = await organization()
  const owner = await person(org)
  const keys = [(await key(owner)).key]
  while (keys.length < callers) keys.push((await key(await person(org))).key)
  await seedManyProjects(sql, owner, { count, workspaceIds: [org.workspaceId] })
  const created = await sql<{ id: string }[]>`
    select id from projects where org_id = ${org.id} order by id limit ${1 + MOVERS}`
  return { orgId: org.id, ids: created.map(({ id }) => id), keys }
}
const smallTenant = await createTenant(FEW, READERS)
const largeTenant = await createTenant(MANY, 1)
const shownProject = smallTenant.ids[0]!
await seedManyBlocks(sql, smallTenant.orgId, shownProject, SHOWN_BLOCKS)
const canvases = smallTenant.ids.slice(1, 1 + MOVERS)
const blocksOf: string[][] = []
for (const id of canvases) blocksOf.push(await seedManyBlocks(sql, smallTenant.orgId, id, MOVED_BLOCKS))
await sql`vacuum analyze`

/** There and back, so that every request changes every block. */
const moves = (mover: number) =>
  [0, 10].map((by) => ({
    method: 'PATCH' as const,
    path: `/api/v1/projects/${canvases[mover]}/blocks/positions`,
    body: JSON.stringify({ positions: blocksOf[mover]!.map((id, n) => ({ id, x: n + by, y: n / 2 + by })) }),
  }))
const get = (path: string) => ({ method: 'GET' as const, path: `/api/v1/projects${path}` })
const cases: Case[] = [
  { name: 'GET /projects/:id', callers: READERS, request: get(`/${shownProject}`) },
  { name: 'GET /projects, 50 items', callers: READERS, request: get('?limit=50') },
  { name: `GET …/blocks, ${SHOWN_BLOCKS} blocks`, callers: READERS, request: get(`/${shownProject}/blocks`) },
  { name: `PATCH …/positions, ${MOVED_BLOCKS}`, callers: MOVERS, request: moves },
]

const floor = await startProgram('floors/projects.ts', database.connection, folder)
const subject = await startProgram('subject.ts', database.connection, folder)
try {
  for (const entry of cases) {
    const programs = { floor, subject }
    const compared = await compare(entry, programs, smallTenant.keys, async () => {
      await sql`truncate canvas_changes`
      await sql`vacuum blocks`
    })
    const { ratio, floorPerSecond, subjectPerSecond, p99, cpu } = compared
    reportFloor({
      name: entry.name,
      ratio,
      ours: `${subjectPerSecond.toFixed(1)}/s`,
      floor: `${floorPerSecond.toFixed(1)}/s`,
      note: `p99 ${p99} ms, ${cpu}`,
    })
  }
  const cursors = new Map<string, string>()
  for (const { keys } of [smallTenant, largeTenant]) {
    const page = await read(keys[0]!, '?limit=50')
    cursors.set(keys[0]!, (JSON.parse(page) as { nextCursor: string }).nextCursor)
  }
  const compareQuery = (query: (secret: string) => string) => {
    const readAs = (secret: string) => () => read(secret, query(secret))
    return compareTimes(readAs(smallTenant.keys[0]!), readAs(largeTenant.keys[0]!), ROUNDS)
  }
  for (const [name, query] of [
    ['newest first', () => '?limit=50'],
    ['second page', (secret: string) => `?limit=50&cursor=${cursors.get(secret)}`],
  ] as const) {
    reportGrowth(`${name}, ${MANY} and ${FEW} projects`, await compareQuery(query))
  }
  reportTimes('search by name, 100 and 1 matches', await compareQuery(() => '?limit=50&search=project%20777'))
} finally {
  await Promise.all([floor.stop(), subject.stop()])
  await database.close()
}

async function read(secret: string, query: string): Promise<string> {
  const response = await fetch(`${subject.url}/api/v1/projects${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
