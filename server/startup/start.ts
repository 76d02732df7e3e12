import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Sql } from '../database/database.ts'
import { type EmbeddedServer, startEmbedded } from '../database/embedded/embedded.ts'
import { requireSessions } from '../database/pooler.ts'
import { requireStandby } from '../database/standby/replay.ts'
import { createSetupToken, setUpFromConfig } from '../features/accounts/accounts/accounts.ts'
import { createLog } from '../log.ts'
import { startIdleCollection } from '../processes/idle-collection.ts'
import { summarize } from './checklist/check.ts'
import { runQuickChecklist } from './checklist/quick.ts'
import { openDataFolder } from './data-folder.ts'
import { createHeldErrors } from './held-errors.ts'
import { startupBanner } from './startup-banner.ts'
import { waitForDatabase } from './wait-for-database.ts'

export async function start({ acceptsNewSecret = false } = {}): Promise<void> {
  const config = readConfig()
  const heldErrors = config.databaseUrl ? null : createHeldErrors()
  const log = await createLog(config.logLevel, heldErrors?.hooks ?? {})
  const say = (line: string) => {
    log.warn(line)
    log.flush()
  }
  const secret = await openDataFolder(config)
  const embedded: EmbeddedServer | null = config.databaseUrl
    ? null
    : await startEmbedded(config.dataFolder, { onWait: say })
  const connection = config.databaseUrl ?? embedded!.connection

  const stops: (() => Promise<void>)[] = [async () => embedded?.stop()]
  const stop = stopOnce(async () => {
    for (const close of stops.toReversed()) await close()
  }, log)
  void embedded?.died.then((reason) => {
    heldErrors?.discard()
    log.fatal(reason)
    void flushLog(log).then(() => process.exit(1))
  })

  try {
    const isOnlyProcess = embedded !== null
    if (!isOnlyProcess) await waitForDatabase(connection, { say })
    if (!isOnlyProcess) await requireSessions(connection)
    if (config.databaseReadUrl) await requireStandby(connection, config.databaseReadUrl, log)
    const app = await createApp({ config, connection, isOnlyProcess, secret, acceptsNewSecret, log })
    stops.push(() => app.close())
    if (config.owner) await setUpFromConfig(app.system(), config.owner)
    if (config.role !== 'api') await app.startWorker()
    await app.observability.startHeartbeat()
    startIdleCollection()
    const isWorker = config.role === 'worker'
    const url = isWorker ? null : await app.listen()
    const healthUrl = isWorker ? await app.listenForHealth() : null
    const setupToken = await createSetupToken(app.system())
    // Before the banner: a supervisor waiting for it may signal immediately.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
    const problems = config.production ? await findProblems(config, app.system().sql) : null
    const objects = app.system().objects.description
    process.stdout.write(startupBanner({ config, url, healthUrl, setupToken, objects, problems }))
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function findProblems(config: Config, sql: Sql): Promise<string | null> {
  const checks = await runQuickChecklist(config, sql, new Date())
  return checks.some(({ state }) => state !== 'ok') ? summarize(checks) : null
}

/**
 * One Ctrl-C arrives twice: from the terminal, and forwarded by npm. On a busy machine npm took over half a second, and
 * the server exited without stopping its database in order.
 */
const SAME_SIGNAL_MS = 2000

/** A later signal exits immediately. */
function stopOnce(close: () => Promise<void>, log: Logger) {
  let stoppingSince: number | null = null
  return async (signal: string) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince <= SAME_SIGNAL_MS) return
      await flushLog(log)
      process.exit(130)
    }
    stoppingSince = performance.now()
    log.info(`${signal}: finishing running requests and jobs, then stopping`)
    // Waiting requests may take seconds, so tell the operator now.
    log.flush()
    await close().catch((err: unknown) => log.error({ err }, 'shutdown failed'))
    await flushLog(log)
    process.exit(0)
  }
}

/** Exiting before the last buffered write ends would lose lines. */
const flushLog = (log: Logger) => new Promise<void>((resolve) => log.flush(() => resolve()))
