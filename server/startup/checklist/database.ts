import type { Sql } from '../../database/database.ts'
import { CLOCK_OFFSET_MS_MAX } from '../../processes/database-clock.ts'
import { connectionsMin } from '../processes/connection-share.ts'
import { type Check, failed, ok, warning } from './check.ts'

const MAJOR_MIN = 15
/** Authenticator codes last 30 seconds, signed requests minutes. Workers stop earlier. */
const CLOCK_WARNING_MS = 2000

const name = 'Database'

export async function checkDatabase(
  sql: Sql,
  { isEmbedded, processes }: { isEmbedded: boolean; processes: number },
): Promise<Check[]> {
  const settings = await readSettings(sql)
  return [
    checkVersion(settings, isEmbedded),
    ...checkDurability(settings),
    ...checkConnections(settings, processes),
    ...checkEncryption(settings, isEmbedded),
    await checkClock(sql),
  ]
}

interface Settings {
  version: string
  major: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  autovacuum: string
  connections: number
  reserved: number
  isEncrypted: boolean
  address: string | null
}

async function readSettings(sql: Sql): Promise<Settings> {
  const [row] = await sql<Settings[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites", current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('autovacuum') as autovacuum, current_setting('max_connections')::int as connections,
      current_setting('superuser_reserved_connections')::int as reserved,
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      host(inet_server_addr()) as address`
  return row!
}

const checkVersion = ({ version, major }: Settings, isEmbedded: boolean): Check =>
  major < MAJOR_MIN
    ? failed(name, `PostgreSQL ${version}: upgrade to ${MAJOR_MIN} or newer`)
    : ok(name, `PostgreSQL ${version}${isEmbedded ? ', embedded: one process on one machine' : ''}`)

function checkDurability(settings: Settings): Check[] {
  const problems: Check[] = []
  if (settings.fsync === 'off' || settings.fullPageWrites === 'off')
    problems.push(
      failed(name, 'fsync or full_page_writes is off: a power failure destroys the database; turn both on'),
    )
  if (settings.synchronousCommit === 'off')
    problems.push(warning(name, 'synchronous_commit is off: a crash loses acknowledged changes; turn it on'))
  if (settings.autovacuum === 'off')
    problems.push(warning(name, 'autovacuum is off: tables grow and plans get slow; turn it on'))
  return problems
}

function checkConnections({ connections, reserved }: Settings, processes: number): Check[] {
  const needed = connectionsMin(processes)
  if (connections - reserved >= needed) return []
  const users = processes === 1 ? 'each Atrium process uses up to' : `${processes} processes need at least`
  return [failed(name, `max_connections is ${connections}: ${users} ${needed}; raise it`)]
}

const checkEncryption = ({ isEncrypted, address }: Settings, isEmbedded: boolean): Check[] =>
  isEmbedded || isEncrypted || address === null || /^(127\.|::1)/.test(address)
    ? []
    : [
        warning(
          name,
          'the connection to another machine is not encrypted: add ?sslmode=require to DATABASE_URL',
        ),
      ]

async function checkClock(sql: Sql): Promise<Check> {
  const before = Date.now()
  const [row] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
  const after = Date.now()
  // The database time lies in between, which excludes network latency.
  const ahead = row!.ms > after ? row!.ms - after : Math.min(0, row!.ms - before)
  const difference = Math.round(Math.abs(ahead))
  const text = `differs from the database clock by ${(difference / 1000).toFixed(1)} s`
  if (difference > CLOCK_OFFSET_MS_MAX) return failed('Clock', `${text}: synchronize both machines (NTP)`)
  if (difference > CLOCK_WARNING_MS) return warning('Clock', `${text}: synchronize both machines (NTP)`)
  return ok('Clock', 'agrees with the database clock')
}
