import { createApp } from '../app.ts'
import type { AppOptions } from '../app-options.ts'
import type { Config } from '../config/config.ts'
import type { Sql } from '../database/database.ts'
import { createSetupToken, setUpFromConfig } from '../features/accounts/accounts/accounts.ts'
import { startIdleCollection } from '../processes/idle-collection.ts'
import { summarize } from './checklist/check.ts'
import { runQuickChecklist } from './checklist/quick.ts'
import { startupBanner } from './startup-banner.ts'

type ServeOptions = Pick<
  AppOptions,
  | 'config'
  | 'connection'
  | 'isOnlyProcess'
  | 'secret'
  | 'acceptsNewSecret'
  | 'log'
  | 'mayMigrate'
  | 'connectionShare'
  | 'readMetrics'
> & {
  /** Another process accepts connections, at this URL, for this process and others. */
  shared?: { url: string | null; mainPid: number }
}

export type Served = Awaited<ReturnType<typeof serve>>

/** Serves requests and runs jobs, as the role says. */
export async function serve({ shared, ...options }: ServeOptions) {
  const { config } = options
  const app = await createApp({ ...options, ...(shared && { mainPid: shared.mainPid }) })
  if (config.owner) await setUpFromConfig(app.system(), config.owner)
  if (config.role !== 'api') await app.startWorker()
  await app.observability.startHeartbeat()
  startIdleCollection()
  const isWorker = config.role === 'worker'
  const receive = shared?.url ? await app.receiveAt(shared.url) : null
  const listen = () => (isWorker ? app.listenForHealth() : app.listen())
  const listeningUrl = shared ? shared.url : await listen()
  const [url, healthUrl] = isWorker ? [null, listeningUrl] : [listeningUrl, null]
  return {
    close: (options: { isReplaced?: boolean } = {}) => app.close(options),
    /** A connection that another process accepted. */
    receive,
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
