import type { Logger } from 'pino'
import { type Config, readConfig } from '../config/config.ts'
import { type EmbeddedServer, startEmbedded } from '../database/embedded/embedded.ts'
import { requireSessions } from '../database/pooler.ts'
import { requireStandby } from '../database/standby/replay.ts'
import { createLog, flushLog } from '../log.ts'
import { urlHost } from './browser-url.ts'
import { openDataFolder } from './data-folder.ts'
import { healthPortInUse } from './explain.ts'
import { createHeldErrors } from './held-errors.ts'
import { connectionsFor, requireShare } from './processes/connection-share.ts'
import { createPort, type Port } from './processes/port.ts'
import { ChildFailed, supervise } from './processes/supervise.ts'
import { waitForDatabase } from './wait-for-database.ts'

export async function start({ acceptsNewSecret = false } = {}): Promise<void> {
  const config = readConfig()
  const heldErrors = config.databaseUrl ? null : createHeldErrors()
  const log = await createLog(config.logLevel, {
    hooks: heldErrors?.hooks ?? {},
    isShared: config.processes > 1,
  })
  const say = (line: string) => {
    log.warn(line)
    log.flush()
  }
  let restart = () => say('SIGUSR2 restarts processes only with ATRIUM_PROCESSES, once they have started')
  // Node's default ends the process.
  process.on('SIGUSR2', () => restart())
  const secret = await openDataFolder(config)
  // The main process of several doesn't load the server.
  const load = config.processes === 1 ? () => import('./serve.ts') : null
  const embedded: EmbeddedServer | null = config.databaseUrl
    ? null
    : await startEmbedded(config.dataFolder, {
        onWait: say,
        settings: databaseSettings(config),
        // While PostgreSQL starts. The import below reports a failure.
        onSpawn: () => void load?.().catch(() => {}),
      })
  const connection = config.databaseUrl ?? embedded!.connection

  const stops: (() => Promise<void>)[] = [async () => embedded?.stop()]
  const close = async () => {
    for (const end of stops.toReversed()) await end()
  }
  const stop = stopOnce(close, log)
  const fail = (reason: string) => {
    heldErrors?.discard()
    log.fatal(reason)
    void flushLog(log).then(() => process.exit(1))
  }
  void embedded?.died.then(fail)
  const listenForSignals = () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
  }

  try {
    const isOnlyProcess = embedded !== null
    if (!isOnlyProcess) await waitForDatabase(connection, { say })
    if (!isOnlyProcess) await requireSessions(connection)
    if (config.databaseReadUrl) await requireStandby(connection, config.databaseReadUrl, log)
    const options = { connection, isOnlyProcess, acceptsNewSecret }
    if (load) {
      const { serve } = await load()
      const served = await serve({ config, secret, log, ...options })
      stops.push(served.close)
      const banner = await served.banner()
      // Before the banner: a supervisor waiting for it may signal immediately.
      listenForSignals()
      process.stdout.write(banner)
      return
    }
    const connectionShare = await requireShare(connection, config.processes)
    const port = createPort()
    const processes = supervise({
      count: config.processes,
      start: { ...options, connectionShare, url: await listen(port, config, log) },
      port,
      log,
      onGiveUp: (reason) => void close().finally(() => fail(reason)),
    })
    stops.push(
      () => processes.stop(),
      async () => port.close(),
    )
    restart = processes.restart
    listenForSignals()
    process.stdout.write(await processes.start())
  } catch (error) {
    await close()
    // It has said why.
    if (error instanceof ChildFailed) process.exit(1)
    throw error
  }
}

async function listen(port: Port, config: Config, log: Logger): Promise<string | null> {
  const isWorker = config.role === 'worker'
  const wanted = isWorker ? config.healthPort : config.port
  try {
    const url = `http://${urlHost(config.host)}:${await port.listen(wanted, config.host)}`
    log.info(`Server listening at ${url}`)
    return url
  } catch (error) {
    if (!isWorker || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    log.warn(healthPortInUse(wanted))
    return null
  }
}

/** PostgreSQL's default suffices for one process. */
const databaseSettings = ({ processes }: Config): Record<string, string> =>
  processes === 1 ? {} : { max_connections: String(connectionsFor(processes)) }

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
