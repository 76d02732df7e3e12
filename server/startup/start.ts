import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { type EmbeddedServer, startEmbedded } from '../database/embedded/embedded.ts'
import { ACCEPT_NEW_SECRET } from '../database/secret-fingerprint.ts'
import { createSetupToken, setUpFromConfig } from '../features/accounts/accounts.ts'
import { createLog } from '../log.ts'
import { openDataFolder } from './data-folder.ts'
import { startupBanner } from './startup-banner.ts'
import { StartupError } from './startup-error.ts'

/** Starts the configured roles, prints the banner, and shuts down in order on a signal. */
async function start(): Promise<void> {
  const config = readConfig()
  const log = await createLog(config.logLevel)
  const secret = await openDataFolder(config)
  const embedded: EmbeddedServer | null = config.databaseUrl ? null : await startEmbedded(config.dataFolder)
  const connection = config.databaseUrl ?? embedded!.connection

  const stops: (() => Promise<void>)[] = [async () => embedded?.stop()]
  const stop = stopOnce(async () => {
    for (const close of stops.toReversed()) await close()
  }, log)
  void embedded?.died.then((reason) => {
    log.fatal(`The embedded PostgreSQL stopped: ${reason}`)
    void flushed(log).then(() => process.exit(1))
  })

  try {
    const isAlone = embedded !== null
    const acceptsNewSecret = process.argv.includes(ACCEPT_NEW_SECRET)
    const app = await createApp({ config, connection, isAlone, secret, acceptsNewSecret, log })
    stops.push(() => app.close())
    if (config.owner) await setUpFromConfig(app.system(), config.owner)
    if (config.role !== 'api') await app.startWorker()
    const url = config.role === 'worker' ? null : await app.listen()
    const setupToken = await createSetupToken(app.system())
    // Before the banner: a supervisor that waits for it may send a signal at once.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
    process.stdout.write(
      startupBanner({ config, url, setupToken, objects: app.system().objects.description }),
    )
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/**
 * One Ctrl-C in a terminal arrives twice: from the terminal, and from npm, which forwards it. On a busy machine npm took
 * more than half a second, and the server exited without stopping its database in order.
 */
const SAME_SIGNAL_MS = 2000

/** The first signal shuts down in order; a later one exits at once. */
function stopOnce(close: () => Promise<void>, log: Logger) {
  let stoppingSince: number | null = null
  return async (signal: string) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince <= SAME_SIGNAL_MS) return
      await flushed(log)
      process.exit(130)
    }
    stoppingSince = performance.now()
    log.info(`${signal}: finishing running requests and jobs, then stopping`)
    // Waiting requests may take seconds: the operator reads at once that they are waited for.
    log.flush()
    await close().catch((err: unknown) => log.error({ err }, 'shutdown failed'))
    await flushed(log)
    process.exit(0)
  }
}

/** The log is buffered: an exit before the last write ends would lose its lines. */
const flushed = (log: Logger) => new Promise<void>((resolve) => log.flush(() => resolve()))

start().catch((error: unknown) => {
  process.stderr.write(`Atrium could not start.\n${explain(error)}\n`)
  process.exit(1)
})

function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message
  const { code, message, stack, address, port } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `${address}:${port} is in use by another process. Set PORT to another port.`
  if (code === 'EACCES' && port)
    return `Port ${port} needs elevated privileges. Set PORT to a port above 1023.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database at DATABASE_URL cannot be reached: ${message}`
  }
  return stack ?? String(error)
}
