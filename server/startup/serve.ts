import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Connection } from '../database/connection.ts'
import type { Sql } from '../database/database.ts'
import { createSetupToken, setUpFromConfig } from '../features/accounts/accounts/accounts.ts'
import type { MetricsOptions } from '../http/metrics.ts'
import { startIdleCollection } from '../processes/idle-collection.ts'
import { summarize } from './checklist/check.ts'
import { runQuickChecklist } from './checklist/quick.ts'
import { startupBanner } from './startup-banner.ts'

interface ServeOptions {
  config: Config
  connection: Connection
  /** No other process uses the database. */
  isOnlyProcess: boolean
  secret: string
  acceptsNewSecret: boolean
  log: Logger
  /** Replaces this process's own metrics at `/metrics`. */
  readMetrics?: MetricsOptions['readMetrics']
}

/** Serves requests and runs jobs, as the role says. */
export async function serve({ config, log, ...options }: ServeOptions) {
  const app = await createApp({ config, log, ...options })
  if (config.owner) await setUpFromConfig(app.system(), config.owner)
  if (config.role !== 'api') await app.startWorker()
  await app.observability.startHeartbeat()
  startIdleCollection()
  const isWorker = config.role === 'worker'
  const url = isWorker ? null : await app.listen()
  const healthUrl = isWorker ? await app.listenForHealth() : null
  return {
    close: () => app.close(),
    metrics: app.observability.http.metrics,
    async banner(): Promise<string> {
      const setupToken = await createSetupToken(app.system())
      const problems = config.production ? await findProblems(config, app.system().sql) : null
      const objects = app.system().objects.description
      return startupBanner({ config, url, healthUrl, setupToken, objects, problems })
    },
  }
}

async function findProblems(config: Config, sql: Sql): Promise<string | null> {
  const checks = await runQuickChecklist(config, sql, new Date())
  return checks.some(({ state }) => state !== 'ok') ? summarize(checks) : null
}
