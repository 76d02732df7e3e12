import type { Config } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { openDatabase, type Pool, type Sql } from '../database/database.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { findRunningServer, hasCluster } from '../database/embedded/running.ts'
import { requireNoRestore } from '../database/restore-marker.ts'
import { fingerprintOf } from '../database/secret-fingerprint.ts'
import type { Vault } from '../security/vault.ts'
import { StartupError } from '../startup/startup-error.ts'

/** The database of an installation, for a command beside the server. */
export interface Installation {
  connection: Connection
  pool: Pool
  close: () => Promise<void>
}

const END_TIMEOUT_S = 1

/** Connects to the configured database. The embedded one is started for the command unless a server runs. */
export async function openInstallation(
  config: Config,
  name: string,
  signal?: AbortSignal,
): Promise<Installation> {
  const { databaseUrl, dataFolder } = config
  if (databaseUrl) return connect(databaseUrl, name, signal)
  if (!(await hasCluster(dataFolder))) {
    throw new StartupError(
      `There is no database in ${dataFolder}. Set ATRIUM_DATA to the data folder of the server, or DATABASE_URL to its database.`,
    )
  }
  const runningServer = await findRunningServer(dataFolder)
  return runningServer
    ? connect(runningServer, name, signal)
    : startEmbeddedInstallation(dataFolder, name, signal)
}

/** Starts the embedded database of this folder, and creates it if it does not exist. */
export async function startEmbeddedInstallation(
  dataFolder: string,
  name: string,
  signal?: AbortSignal,
): Promise<Installation> {
  const server = await startEmbedded(dataFolder)
  return connect(server.connection, name, signal, () => server.stop())
}

/** Connects to a database. `close` also calls `stop`. Aborting `signal` also ends a waiting query. */
export function connect(
  connection: Connection,
  name: string,
  signal?: AbortSignal,
  stop = async () => {},
): Installation {
  const pool = openDatabase(connection, name)
  signal?.addEventListener('abort', () => void pool.end({ timeout: 0 }))
  return {
    connection,
    pool,
    async close() {
      await pool.end({ timeout: END_TIMEOUT_S })
      await stop()
    },
  }
}

/** Fails unless the database is that of a complete installation with this secret. */
export async function requireInstalled(sql: Sql, vault: Vault): Promise<void> {
  await requireNoRestore(sql)
  const [tables] = await sql<{ exist: boolean }[]>`
    select to_regclass('installation') is not null and to_regclass('graphile_worker.migrations') is not null as exist`
  const [stored] = tables?.exist
    ? await sql<{ fingerprint: string }[]>`select secret_fingerprint as fingerprint from installation`
    : []
  if (!stored) {
    throw new StartupError(
      'The database contains no installation of Atrium. Check DATABASE_URL or ATRIUM_DATA.',
    )
  }
  if (stored.fingerprint === fingerprintOf(vault)) return
  throw new StartupError(
    'The secret of this command is not that of the installation. Set ATRIUM_SECRET, or ATRIUM_DATA, as for the server.',
  )
}
