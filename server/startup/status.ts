import { counted } from '../../contract/counted.ts'
import { openInstallation, requireInstalled } from '../backup/installation.ts'
import { formatBytes } from '../backup/progress.ts'
// Declares every job, so its lane is known.
import '../app.ts'
import { readConfig } from '../config/config.ts'
import { openConfiguredStandby } from '../database/standby/standby.ts'
import { StartupError } from '../errors.ts'
import {
  createSizes,
  type HealthReport,
  readHealth,
} from '../features/organizations/operations/operations.ts'
import { createLog } from '../log.ts'
import { mailSettings } from '../mail/mail-settings.ts'
import { createVault } from '../security/vault.ts'
import { openObjects } from '../storage/open.ts'
import { readSecret } from './data-folder.ts'
import { formatTable } from './table.ts'

const HOUR_MS = 3_600_000

export async function runStatus({ json = false }: { json?: boolean }): Promise<'ok' | 'failed'> {
  const config = readConfig()
  const secret = await readSecret(config)
  if (secret === null)
    throw new StartupError('The secret cannot be read: run this command as the server’s user')
  const vault = createVault(secret)
  const installation = await openInstallation(config, 'status')
  const { pool: sql } = installation
  const log = await createLog('silent')
  const standby = openConfiguredStandby(config, { primary: sql, processId: 'status', log })
  try {
    await requireInstalled(sql, vault)
    const objects = await openObjects(config, vault)
    const mail = mailSettings(config, () => '')
    const ctx = { sql, objects, mail, now: () => new Date() }
    const { dataFolder } = config
    const health = await readHealth(ctx, {
      dataFolder,
      processId: '',
      standby,
      isDatabaseFull: () => false,
      sizesOf: createSizes(),
    })
    process.stdout.write(json ? `${JSON.stringify(health, null, 2)}\n` : `${render(health)}\n`)
    return health.status === 'critical' ? 'failed' : 'ok'
  } finally {
    await standby?.close()
    await installation.close()
  }
}

function render(health: HealthReport): string {
  const { status, problems, lanes, backlogs, outcomes, processes, organizations, database, disk } = health
  return [
    `Status: ${status}`,
    ...problems.map(({ level, message }) => `  ${level.padEnd(8)}  ${message}`),
    table(
      ['Lane', 'waiting', 'running', 'retrying', 'failed', 'oldest'],
      lanes.map((lane) => [
        lane.lane,
        ...[lane.waiting, lane.running, lane.retrying, lane.dead],
        seconds(lane.lagSeconds),
      ]),
    ),
    table(
      ['Queue', 'waiting', 'oldest'],
      backlogs.map(({ queue, waiting, lagSeconds }) => [queue, waiting, seconds(lagSeconds)]),
    ),
    table(
      [`Last ${health.windowMinutes} minutes`, 'total', 'failed'],
      outcomes.map(({ name, total, failed }) => [name, total, failed]),
    ),
    table(
      ['Process', 'role', 'version', 'memory', 'busy', 'heartbeat'],
      processes.map((each) => [
        `${each.host} ${each.pid}`,
        each.role,
        each.version,
        formatBytes(each.rssBytes),
        `${Math.round(each.busy * 100)} %`,
        each.isAlive ? each.seenAt : `${each.seenAt} (stopped)`,
      ]),
    ),
    table(
      ['Organization', 'requests', 'runs', 'deliveries', 'jobs'],
      organizations.map(({ name, requests, runs, deliveries, jobs }) => [
        printable(name),
        ...[requests, runs, deliveries, jobs],
      ]),
    ),
    table(
      ['Table', 'size', 'rows'],
      database.tables.map(({ name, bytes, rows }) => [name, formatBytes(bytes), rows.toLocaleString('en')]),
    ),
    '',
    `Database ${formatBytes(database.bytes)}, ${database.connections} of ${database.connectionsMax} connections`,
    ...(database.standby ? [standbyLine(database.standby)] : []),
    `Files ${health.objects.files.toLocaleString('en')}, ${formatBytes(health.objects.bytes)}`,
    backupLine(health),
    ...(disk ? [`Disk ${formatBytes(disk.freeBytes)} free of ${formatBytes(disk.totalBytes)}`] : []),
  ].join('\n')
}

function backupLine({ backup: { last }, at }: HealthReport): string {
  if (!last) return 'Last backup: none recorded'
  const hours = Math.floor((Date.parse(at) - Date.parse(last.createdAt)) / HOUR_MS)
  const age = hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')
  return `Last backup ${age} ago, ${formatBytes(last.bytes)} in ${last.folder} on ${last.host}`
}

const standbyLine = ({ lag, reads, primaryReads }: NonNullable<HealthReport['database']['standby']>) =>
  `Standby ${lag ? `${formatBytes(lag.bytes)} behind` : 'not available'}, ${reads} lists, ${primaryReads} on the primary instead`

function table(head: string[], rows: (string | number)[][]): string {
  if (rows.length === 0) return ''
  return `\n${formatTable([head, ...rows.map((row) => row.map(String))], { alignEnd: true })}`
}

const seconds = (value: number) => (value < 1 ? '–' : `${Math.round(value)} s`)

/** Members choose organization names: no control characters may reach the terminal. */
const printable = (text: string) => text.replaceAll(/\p{C}/gu, '').slice(0, 40)
