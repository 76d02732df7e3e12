import type { Config } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import { openDatabase, type Pool, type Sql } from '../database/database.ts'
import { findRunningServer, hasCluster, startEmbedded } from '../database/embedded/embedded.ts'
import { COMMAND, describeProcess } from '../database/embedded/ownership.ts'
import { requireNoRestore, secretFingerprint } from '../database/installation-state.ts'
import { StartupError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'
import { waitForDatabase } from '../startup/wait-for-database.ts'

/** The installation's database, for a command beside the server. */
export interface Installation {
  connection: Connection
  /** Names the command and its process in `pg_stat_activity`. */
  name: string
  pool: Pool
  close: () => Promise<void>
}

interface CommandOptions {
  /** Aborting also ends a waiting query. */
  signal?: AbortSignal
  /** Waits while PostgreSQL starts. */
  waits?: boolean
}

const END_TIMEOUT_S = 1

/** Starts the embedded database for the command unless a server runs. */
export async function openInstallation(
  config: Config,
  /** Such as `backup`. */
  command: string,
  options: CommandOptions = {},
): Promise<Installation> {
  const { databaseUrl, dataFolder } = config
  if (databaseUrl) return connect(databaseUrl, command, options)
  if (!(await hasCluster(dataFolder))) {
    throw new StartupError(
      `There is no database in ${dataFolder}. Set ATRIUM_DATA to the server’s data folder, or DATABASE_URL to its database.`,
    )
  }
  const runningServer = await findRunningServer(dataFolder)
  return runningServer
    ? connect(runningServer, command, { ...options, waits: true })
    : startEmbeddedInstallation(dataFolder, command, options)
}

/** Creates the embedded database if it doesn't exist. */
export async function startEmbeddedInstallation(
  dataFolder: string,
  command: string,
  options: CommandOptions,
): Promise<Installation> {
  const server = await startEmbedded(dataFolder, { purpose: `${COMMAND} ${command}`, onWait: say })
  return connect(server.connection, command, options, () => server.stop())
}

/** `close` also calls `stop`. */
export async function connect(
  connection: Connection,
  command: string,
  { signal, waits = false }: CommandOptions,
  stop = async () => {},
): Promise<Installation> {
  const name = `atrium ${command} (${describeProcess()})`
  if (waits) await waitForDatabase(connection, { say, signal })
  const pool = openDatabase(connection, name)
  signal?.addEventListener('abort', () => void pool.end({ timeout: 0 }))
  return {
    connection,
    name,
    pool,
    async close() {
      await pool.end({ timeout: END_TIMEOUT_S })
      await stop()
    },
  }
}

const say = (line: string) => process.stderr.write(`${line}\n`)

/** Fails unless the database belongs to a complete installation with this secret. */
export async function requireInstalled(sql: Sql, vault: Vault): Promise<void> {
  await requireNoRestore(sql)
  const [tables] = await sql<{ exist: boolean }[]>`
    select to_regclass('installation') is not null and to_regclass('graphile_worker.migrations') is not null as exist`
  const [stored] = tables?.exist
    ? await sql<{ fingerprint: string }[]>`select secret_fingerprint as fingerprint from installation`
    : []
  if (!stored) {
    throw new StartupError('The database contains no Atrium installation. Check DATABASE_URL or ATRIUM_DATA.')
  }
  if (stored.fingerprint === secretFingerprint(vault)) return
  throw new StartupError(
    'This command’s secret is not the installation’s. Set ATRIUM_SECRET or ATRIUM_DATA as for the server.',
  )
}
