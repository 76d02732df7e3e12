import { openInstallation, requireInstalled } from '../../backup/installation.ts'
import { formatBytes } from '../../backup/progress.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { isMigrated } from '../../database/migrate.ts'
import { inspectStandby, REMEDY } from '../../database/standby/replay.ts'
import { StartupError } from '../../errors.ts'
import { verifySmtp } from '../../mail/mailer.ts'
import {
  countAddresses,
  listProcesses,
  MISSING_PUBLIC_URL,
  runningTogether,
} from '../../observability/heartbeat.ts'
import { createVault } from '../../security/vault.ts'
import { openObjects } from '../../storage/open.ts'
import { readSecret } from '../data-folder.ts'
import { explain } from '../explain.ts'
import { type Check, failed, ok, orFailed, summarize, warning } from './check.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { checkBackup, checkDisk } from './storage.ts'

/** In the order an operator sets things up. */
export async function runChecklist(config: Config, now: Date): Promise<Check[]> {
  const checks = await Promise.all([
    orFailed('Email', checkMail(config), (error) => `${reasonOf(error)}: check ATRIUM_SMTP_URL`),
    orFailed('Database', checkInstallation(config, now), reasonOf),
    orFailed('Files', checkObjects(config), reasonOf),
    orFailed('Disk', asList(checkDisk(config)), reasonOf),
  ])
  return [...checkConfiguration(config), ...checks.flat()]
}

async function checkMail({ smtpUrl, dataFolder }: Config): Promise<Check[]> {
  if (!smtpUrl)
    return [
      warning(
        'Email',
        `is written to ${dataFolder}/outbox: set ATRIUM_SMTP_URL, so that people get invitations and notices`,
      ),
    ]
  await verifySmtp(smtpUrl)
  return [ok('Email', `${new URL(smtpUrl).host} accepts the connection`)]
}

async function checkInstallation(config: Config, now: Date): Promise<Check[]> {
  const installation = await openInstallation(config, 'check')
  try {
    const { pool } = installation
    const checks = await checkDatabase(pool, {
      isEmbedded: config.databaseUrl === null,
      processes: config.processes,
    })
    return [
      ...checks,
      ...(await checkStandby(pool, config)),
      ...(await checkProcesses(pool, config)),
      ...(await orFailed('Secret', checkInstalled(config, pool), reasonOf)),
      ...(await orFailed('Backup', asList(checkBackup(pool, now)), reasonOf)),
    ]
  } finally {
    await installation.close()
  }
}

/** Needs running processes to compare. */
async function checkProcesses(pool: Pool, { publicUrl }: Config): Promise<Check[]> {
  // The table doesn't exist before the first start.
  const processes = await listProcesses(pool).catch(() => [])
  const count = runningTogether(processes).length
  if (count < 2) return []
  if (!publicUrl && countAddresses(processes) > 1)
    return [failed('Processes', `${count} run: ${MISSING_PUBLIC_URL}`)]
  return [ok('Processes', `${count} run`)]
}

type Pool = Awaited<ReturnType<typeof openInstallation>>['pool']

async function checkInstalled(config: Config, pool: Pool): Promise<Check[]> {
  const secret = await readSecret(config)
  if (secret === null) return [failed('Secret', 'cannot be read: run this command as the server’s user')]
  await requireInstalled(pool, createVault(secret))
  if (await isMigrated(pool)) return []
  return [warning('Schema', 'is from another version: the next start upgrades it; make a backup first')]
}

/** Opening the store writes and removes a probe. */
async function checkObjects(config: Config): Promise<Check[]> {
  const store = await openObjects(config, createVault((await readSecret(config)) ?? ''))
  await store.ping()
  return [ok('Files', store.description)]
}

const asList = async (check: Promise<Check>): Promise<Check[]> => [await check]

const reasonOf = (error: unknown): string =>
  error instanceof StartupError ? error.message : (explain(error).split('\n')[0] ?? '')

export async function runCheck({ json = false }: { json?: boolean }): Promise<'ok' | 'failed'> {
  const checks = await runChecklist(readConfig(), new Date())
  process.stdout.write(json ? `${JSON.stringify({ checks }, null, 2)}\n` : `${render(checks)}\n`)
  return checks.some(({ state }) => state === 'failed') ? 'failed' : 'ok'
}

function render(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.map(({ name, state, text }) => `  ${state.padEnd(7)}  ${name.padEnd(width)}  ${text}`)
  return [...lines, '', `  ${summarize(checks)}`].join('\n')
}

const name = 'Standby'
/** A standby lagging more gets no list queries. Processes check every five seconds. */
const LAG_BYTES_WARNING = 16_000_000

export async function checkStandby(primary: Pool, { databaseReadUrl }: Config): Promise<Check[]> {
  if (!databaseReadUrl) return []
  const inspection = await inspectStandby(primary, databaseReadUrl)
  if (inspection.problem) return [failed(name, `${inspection.problem}. ${REMEDY}`)]
  if (inspection.warning) return [warning(name, `${inspection.warning}: the primary runs all lists`)]
  const { lagBytes } = inspection.replay!
  const text = `in recovery, ${formatBytes(lagBytes)} behind the primary`
  return [
    lagBytes > LAG_BYTES_WARNING
      ? warning(name, `${text}: the primary runs the lists until it has caught up`)
      : ok(name, text),
  ]
}
