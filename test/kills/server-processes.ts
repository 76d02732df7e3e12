import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../server/database/connection.ts'
import type { Pool } from '../../server/database/database.ts'
import { type AtriumProcess, startAtrium } from '../e2e/atrium-process.ts'

export const SECRET = 'a secret for tests, long enough to be one'

export interface ServerProcess {
  /** The name of its database connections. */
  name: string
  url: string
  /** Whether it says that it accepts requests. */
  isReady: () => Promise<boolean>
  kill: () => Promise<void>
}

const READY_WITHIN_MS = 2000
const PERSIST_MS = 30_000
const PERSIST_PAUSE_MS = 100

interface FleetOptions {
  sql: Pool
  connection: Exclude<Connection, string>
  /** The data folder that all processes share. */
  folder: string
  env: Record<string, string>
}

/** Processes of the real server that share a database. Any of them can be killed at any moment. */
export function createFleet({ sql, connection, folder, env }: FleetOptions) {
  const all: AtriumProcess[] = []
  const live: ServerProcess[] = []
  let starting: Promise<unknown> = Promise.resolve()

  const listConnectionNames = async () => {
    const rows = await sql<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'atrium %'`
    return rows.map(({ name }) => name)
  }

  async function startProcess(): Promise<ServerProcess> {
    const before = await persist(listConnectionNames)
    const atrium = await startAtrium({
      dataFolder: folder,
      env: {
        ATRIUM_LOG_LEVEL: 'error',
        ATRIUM_OLLAMA_URL: 'off',
        ATRIUM_SECRET: SECRET,
        DATABASE_URL: urlOf(connection),
        ...env,
      },
    })
    all.push(atrium)
    if (!atrium.url) throw new Error(`A process did not start: ${atrium.output()}`)
    const name = await persist(async () => {
      const newName = (await listConnectionNames()).find((other) => !before.includes(other))
      if (!newName) throw new Error(`A process has no connection: ${atrium.output()}`)
      return newName
    })
    const serverProcess: ServerProcess = {
      name,
      url: atrium.url,
      isReady: () =>
        fetch(`${atrium.url}/readyz`, { signal: AbortSignal.timeout(READY_WITHIN_MS) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      async kill() {
        live.splice(live.indexOf(serverProcess), 1)
        await atrium.kill()
      },
    }
    live.push(serverProcess)
    return serverProcess
  }

  return {
    live: live as readonly ServerProcess[],
    /** Starts another process. Processes start one at a time, so that the names of their connections identify them. */
    start(): Promise<ServerProcess> {
      const next = starting.then(startProcess)
      starting = next.catch(() => {})
      return next
    },
    output: () => all.map((atrium) => atrium.output()).join(''),
    async close() {
      await starting
      for (const each of [...live]) await each.kill()
    },
  }
}

/** Repeats what fails while the database restarts. */
export async function persist<T>(task: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + PERSIST_MS
  for (;;) {
    try {
      return await task()
    } catch (error) {
      if (performance.now() > endsAt) throw error
      await sleep(PERSIST_PAUSE_MS)
    }
  }
}

const urlOf = ({ host, port, user, password, database }: Exclude<Connection, string>) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
