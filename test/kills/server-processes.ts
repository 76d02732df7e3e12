import type { Connection } from '../../server/database/connection.ts'
import type { Pool } from '../../server/database/database.ts'
import { type AtriumProcess, startAtrium } from '../e2e/atrium-process.ts'

export const SECRET = 'a secret for tests, long enough to be one'

export interface ServerProcess {
  /** The name of its database connections. */
  name: string
  url: string
  kill: () => Promise<void>
}

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
    const before = await listConnectionNames()
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
    const name = (await listConnectionNames()).find((other) => !before.includes(other))
    if (!name) throw new Error(`A process did not start: ${atrium.output()}`)
    const serverProcess: ServerProcess = {
      name,
      url: atrium.url,
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

const urlOf = ({ host, port, user, password, database }: Exclude<Connection, string>) =>
  `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
