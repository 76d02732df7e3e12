import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { readConfig } from '../config/config.ts'
import { type EmbeddedServer, startEmbedded } from '../database/embedded/embedded.ts'
import { requireSessions } from '../database/pooler.ts'
import { CONNECTIONS_MAX } from '../database/pools.ts'
import { requireStandby } from '../database/standby/replay.ts'
import { createLog, flushLog } from '../log.ts'
import { openDataFolder } from './data-folder.ts'
import { createHeldErrors } from './held-errors.ts'
import { startChild } from './processes/child.ts'
import { ChildFailed, supervise } from './processes/supervise.ts'
import { serve } from './serve.ts'
import { waitForDatabase } from './wait-for-database.ts'

export async function start({ acceptsNewSecret = false } = {}): Promise<void> {
  const config = readConfig()
  if (cluster.isWorker) return startChild(config)
  const heldErrors = config.databaseUrl ? null : createHeldErrors()
  const log = await createLog(config.logLevel, heldErrors?.hooks ?? {})
  const say = (line: string) => {
    log.warn(line)
    log.flush()
  }
  const secret = await openDataFolder(config)
  const embedded: EmbeddedServer | null = config.databaseUrl
    ? null
    : await startEmbedded(config.dataFolder, { onWait: say, settings: databaseSettings(config.processes) })
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
    const options = { connection, isOnlyProcess, acceptsNewSecret }
    // Before the banner: a supervisor waiting for it may signal immediately.
    const listenForSignals = () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.on(signal, () => void stop(signal))
    }
    if (config.processes === 1) {
      const served = await serve({ config, secret, log, ...options })
      stops.push(served.close)
      const banner = await served.banner()
      listenForSignals()
      process.stdout.write(banner)
      return
    }
    const processes = await supervise({ count: config.processes, start: options, log })
    stops.push(processes.stop)
    process.on('SIGUSR2', processes.restart)
    listenForSignals()
    process.stdout.write(processes.banner)
  } catch (error) {
    await embedded?.stop()
    // It has said why.
    if (error instanceof ChildFailed) process.exit(1)
    throw error
  }
}

/** For migrations, notifications, job locks and administrators. */
const OTHER_CONNECTIONS = 40

/** PostgreSQL's default suffices for one process. */
const databaseSettings = (processes: number): Record<string, string> =>
  processes === 1
    ? {}
    : { max_connections: String(processes * CONNECTIONS_MAX + processes * 8 + OTHER_CONNECTIONS) }

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
