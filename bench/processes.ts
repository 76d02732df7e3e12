import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { seedManyProjects } from '../server/testing/factories/many-projects.ts'
import { openBenchDatabase } from './bench-database.ts'
import { CONNECTIONS, load, median } from './compare.ts'
import { startServer, treeCpuMs } from './program.ts'
import { report } from './report.ts'

const COUNTS = [1, 2, 3]
const READERS = 320
const PROJECTS = 1000
const ROUNDS = 5
const ROUND_SECONDS = 3

/**
 * Compares several processes with one, alternately, so that other load affects all. The load's own process and
 * PostgreSQL take their cores from the same machine.
 */
const database = await openBenchDatabase({ max_connections: '200' })
const { folder, sql, organization, person, key } = database
const org = await organization()
const owner = await person(org)
const keys = [(await key(owner, ['files:write'])).key]
while (keys.length < READERS) keys.push((await key(await person(org), ['files:write'])).key)
await seedManyProjects(sql, owner, { count: PROJECTS, workspaceIds: [org.workspaceId] })
const created = await sql<
  { id: string }[]
>`select id from projects where org_id = ${org.id} limit ${CONNECTIONS}`
await sql`vacuum analyze`
const postmaster = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

const block = JSON.stringify({ type: 'note', title: 'Measured' })
const cases = [
  { name: 'GET /projects, 50 items', method: 'GET' as const, path: () => '/projects?limit=50' },
  { name: 'GET /projects/:id', method: 'GET' as const, path: () => `/projects/${created[0]!.id}` },
  {
    name: 'POST …/blocks',
    method: 'POST' as const,
    path: (connection: number) => `/projects/${created[connection % created.length]!.id}/blocks`,
    body: block,
  },
]

const servers = await Promise.all(
  COUNTS.map((count) => startServer(database.connection, folder, { ATRIUM_PROCESSES: String(count) })),
)
try {
  for (const { name, method, path, body } of cases) {
    const rounds: { perSecond: number; p99: number; serverMs: number; databaseMs: number }[][] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const figures = []
      for (const server of servers) {
        const before = [treeCpuMs(server.pid), treeCpuMs(postmaster)] as const
        const { perSecond, p99 } = await load(server, ROUND_SECONDS, (connection) =>
          keys
            .filter((_, index) => index % CONNECTIONS === connection)
            .map((each) => ({
              method,
              path: `/api/v1${path(connection)}`,
              headers: { authorization: `Bearer ${each}`, 'content-type': 'application/json' },
              ...(body && { body }),
            })),
        )
        const requests = perSecond * ROUND_SECONDS
        figures.push({
          perSecond,
          p99,
          serverMs: (treeCpuMs(server.pid) - before[0]) / requests,
          databaseMs: (treeCpuMs(postmaster) - before[1]) / requests,
        })
      }
      // The first round is a warm-up.
      if (round > 0) rounds.push(figures)
    }
    for (const [index, count] of COUNTS.entries()) {
      const ofCount = (field: 'perSecond' | 'p99' | 'serverMs' | 'databaseMs') =>
        median(rounds.map((figures) => figures[index]![field]))
      report({
        name: `${name}, ${count} ${count === 1 ? 'process' : 'processes'}`,
        ours: `${Math.round(ofCount('perSecond'))}/s`,
        ratio: median(rounds.map((figures) => figures[index]!.perSecond / figures[0]!.perSecond)),
        note: `p99 ${ofCount('p99')} ms, CPU ${ofCount('serverMs').toPrecision(2)} ms, PostgreSQL ${ofCount('databaseMs').toPrecision(2)} ms, load ${loadavg()[0]!.toFixed(1)}`,
      })
    }
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  await database.close()
}
