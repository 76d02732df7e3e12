import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { seedManyProjects } from '../server/testing/factories/many-projects.ts'
import { openBenchDatabase } from './bench-database.ts'
import { startServer } from './program.ts'
import { report } from './report.ts'

const IDLE_MB_MAX = 130
const LOADED_MB_MAX = 250
/** The process collects garbage after 30 idle seconds (`server/processes/idle-collection.ts`). */
const IDLE_AGAIN_MB_MAX = 180
const IDLE_MS = 60_000
const PROJECTS = 1000
const REQUESTS = 5000
const CONNECTIONS = 32

/** Measures process memory without PostgreSQL, after startup and after many lists. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database
const org = await organization()
const owner = await person(org)
const { key: secret } = await key(owner)
await seedManyProjects(sql, owner, { count: PROJECTS, workspaceIds: [org.workspaceId] })
await sql`vacuum analyze`

// Fills the compile cache for later starts.
const first = await startServer(database.connection, join(folder, 'api'))
await first.stop()
const api = await startServer(database.connection, join(folder, 'api'))
try {
  reportMemory('idle', IDLE_MB_MAX)
  const { non2xx } = await autocannon({
    url: `${api.url}/api/v1/projects?limit=50`,
    connections: CONNECTIONS,
    amount: REQUESTS,
    headers: { authorization: `Bearer ${secret}` },
  })
  if (non2xx > 0) throw new Error(`${non2xx} requests failed: the figures would be meaningless`)
  reportMemory(`after ${REQUESTS} lists`, LOADED_MB_MAX)
  await sleep(IDLE_MS)
  reportMemory(`${IDLE_MS / 1000} s later`, IDLE_AGAIN_MB_MAX)
} finally {
  await api.stop()
  await database.close()
}

function reportMemory(name: string, maxMb: number): void {
  const mb = api.memoryMb()
  report({ name, ours: `${mb.toFixed(0)} MB`, target: { text: `≤ ${maxMb} MB`, isMet: mb <= maxMb } })
}
