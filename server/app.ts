import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { EndpointName } from '../contract/index.ts'
import type { AppOptions } from './app-options.ts'
import { createTurns } from './concurrency/turns.ts'
import { createContext, type Origin, type PublicContext } from './context.ts'
import type { Pool } from './database/database.ts'
import { forOrganization } from './database/fair-pool.ts'
import { requireSameSecret } from './database/installation-state.ts'
import { analyzeNewTables, isMigrated, migrate } from './database/migrate.ts'
import { applicationNameOf, closePools, openPools } from './database/pools.ts'
import { openConfiguredStandby } from './database/standby/standby.ts'
import type { Call } from './endpoint/call.ts'
import { createInvoker } from './endpoint/invoke.ts'
import { checkRoutes } from './endpoint/route.ts'
import type { Feature } from './feature.ts'
import { accounts } from './features/accounts/accounts/accounts.ts'
import { apiKeys } from './features/accounts/api-keys/api-keys.ts'
import { deviceLogin } from './features/accounts/device-login/device-login.ts'
import { agents } from './features/agents/agents/agents.ts'
import { runChanges } from './features/agents/changes/changes.ts'
import { chat } from './features/agents/chat/chat.ts'
import { guardrails } from './features/agents/guardrails/guardrails.ts'
import {
  listExistingServerIds as existingMcpServers,
  mcpServers,
} from './features/agents/mcp-servers/mcp-servers.ts'
import {
  createRunChannel,
  findOpenRun,
  findOutsideBlocks,
  listTextOrigins,
  runs,
} from './features/agents/runs/runs.ts'
import { schedules as scheduleFeature } from './features/agents/schedules/schedules.ts'
import { budgets } from './features/billing/budgets/budgets.ts'
import { machinePayments } from './features/billing/machine-payments/machine-payments.ts'
import { usage } from './features/billing/usage/usage.ts'
import { agentBlocks, createWorkflows } from './features/canvas/agent-blocks/agent-blocks.ts'
import { canvas } from './features/canvas/canvas/canvas.ts'
import { comments } from './features/comments/comments/comments.ts'
import { notifications } from './features/comments/notifications/notifications.ts'
import { connections } from './features/connections/connections/connections.ts'
import { connectors, listExistingSlugs } from './features/connections/connectors/connectors.ts'
import {
  connectorEndpoints,
  countHeld,
  removeEndpointsOf,
} from './features/connections/endpoints/endpoints.ts'
import { feedback } from './features/feedback/feedback.ts'
import { files } from './features/files/files/files.ts'
import { publicLinks } from './features/files/public-links/public-links.ts'
import { home } from './features/home/home.ts'
import { memory } from './features/knowledge/memory/memory.ts'
import { listExistingSkillIds, skills } from './features/knowledge/skills/skills.ts'
import { addCounts, createCallCounter, mcpCalls } from './features/mcp/call-counts/call-counts.ts'
import { connectedApps } from './features/mcp/connected-apps/connected-apps.ts'
import {
  loadModelSettings,
  loadProviders,
  models as modelFeature,
} from './features/models/providers/providers.ts'
import { lifecycle } from './features/organizations/lifecycle/lifecycle.ts'
import { operatedOrganizations } from './features/organizations/operated/operated.ts'
import { operations } from './features/organizations/operations/operations.ts'
import { organizations } from './features/organizations/organizations/organizations.ts'
import { quotas as quotaFeature } from './features/organizations/quotas/quotas.ts'
import { orgSettings } from './features/organizations/settings/settings.ts'
import { workspaces } from './features/organizations/workspaces/workspaces.ts'
import { projectExport } from './features/projects/export/export.ts'
import { projects } from './features/projects/projects/projects.ts'
import { sampleProject } from './features/projects/sample/sample.ts'
import { sharing } from './features/projects/sharing/sharing.ts'
import { projectTemplates } from './features/projects/templates/templates.ts'
import { search } from './features/search/search.ts'
import { hasActiveNumber, loadCallTools, stopNumbersOf, telephony } from './features/telephony/telephony.ts'
import { webhooks } from './features/webhooks/webhooks.ts'
import type { Parts } from './http/health.ts'
import { closeHttp, createHttp } from './http/http.ts'
import { createBodySpool } from './http/large-bodies.ts'
import { createWorkerHttp } from './http/worker-http.ts'
import { type BackgroundTask, checkJobs, migrateJobs, startWorker } from './jobs/worker.ts'
import { releaseOrphanedJobs } from './jobs/worker-heartbeat.ts'
import { createGenerateText } from './language-models/generate-text.ts'
import { createModels } from './language-models/models.ts'
import { mailJobs } from './mail/mail.ts'
import { mailSettings } from './mail/mail-settings.ts'
import { openMailer } from './mail/mailer.ts'
import { createMcp } from './mcp/mcp.ts'
import { createQuotas } from './metering/quotas.ts'
import { openObservability } from './observability/observability.ts'
import { createOutbound } from './outbound/outbound.ts'
import { fixedClock, startDatabaseClock } from './processes/database-clock.ts'
import { watchDatabaseSpace } from './processes/database-space.ts'
import { newId } from './security/ids.ts'
import { createVault } from './security/vault.ts'
import { browserUrl, urlHost } from './startup/browser-url.ts'
import { createCredentials } from './startup/credentials.ts'
import { openObjects } from './storage/open.ts'
import { watchStore } from './storage/watched.ts'
import { createStreams } from './streams/streams.ts'
import { createSuspensions } from './suspensions/suspensions.ts'

/** Composition root: opens the dependencies, lists the features, starts and stops them. */
export async function createApp({ config, connection, secret, log, ...options }: AppOptions) {
  const vault = createVault(secret)
  const objects = watchStore(await openObjects(config, vault, options.storageDeadlines), log)
  const processId = newId()
  const pools = openPools(connection, applicationNameOf(processId))
  const { requests: pool, background } = pools
  const { systemTime, measureClockMs: measureMs } = options
  const clock = options.now
    ? fixedClock(options.now)
    : await startDatabaseClock({ sql: background, log, systemTime, measureMs })
  const { now } = clock
  const space = watchDatabaseSpace(background, log)
  const { standbyPauseMs: pauseMs } = options
  const standby = openConfiguredStandby(config, { primary: pool, processId, log, pauseMs })
  const outbound = createOutbound({ allowed: config.allowPrivateTargets })
  let url = `http://${urlHost(config.host)}:${config.port}`
  const mail = mailSettings(config, () => browserUrl(url))
  const quotas = createQuotas(pool, config.quotas, (err) =>
    log.warn({ err }, 'could not read the usage of an organization'),
  )
  const suspensions = createSuspensions(background, pool, log)
  const streams = createStreams(pool, log, { now, quotas, suspensions })
  const runChannel = createRunChannel(pool, streams)
  const providers = loadProviders(pool, vault)
  const models = createModels({
    config: config.models,
    loadProviders: providers,
    loadSettings: loadModelSettings(pool),
    outbound,
    now,
  })
  const environment = config.production ? 'live' : 'test'

  const features: Feature[] = [
    accounts({ signup: config.signup, oauthClients: config.oauthClients, log }),
    organizations,
    workspaces,
    apiKeys({ environment }),
    deviceLogin({ environment }),
    connectedApps(),
    agents({
      offersModel: models.offers,
      listExistingSkillIds,
      existingMcpServers,
      existingConnectors: listExistingSlugs,
    }),
    projects({
      generateText: createGenerateText(config.models.providers),
      emptySteps: () => features.flatMap(({ emptyProject }) => emptyProject ?? []),
      log,
    }),
    canvas({ pool, streams }),
    runs({
      channel: runChannel,
      models,
      invoke: (name, call) => invoker.invoke(invoker.byName(name), call),
      workflows: createWorkflows(models),
      outside: { vault, now, connectors: config.connectors },
      callToolsOf: (sql, run) => loadCallTools(sql, run, { now }),
      hasNumber: hasActiveNumber,
      log,
    }),
    chat({ models, streams, runChannel }),
    sampleProject({ models }),
    agentBlocks({ models }),
    guardrails({ models }),
    mcpServers({ log }),
    connectors(config.connectors),
    connectorEndpoints({ models, connectors: config.connectors, publicUrl: config.publicUrl, log }),
    connections({
      connectors: config.connectors,
      countHeld,
      onRevoked: async (ctx, revoked) => {
        await removeEndpointsOf(ctx, revoked)
        await stopNumbersOf(ctx, revoked)
      },
      log,
    }),
    telephony({
      models,
      runChannel,
      connectors: config.connectors,
      accounts: config.telephony,
      publicUrl: config.publicUrl,
      log,
    }),
    scheduleFeature({ models }),
    memory,
    skills,
    projectExport,
    projectTemplates,
    sharing,
    comments,
    notifications,
    files,
    publicLinks,
    runChanges,
    search,
    home({ dataFolder: config.dataFolder }),
    webhooks({ streams }),
    modelFeature(models),
    mcpCalls,
    feedback,
    quotaFeature,
    operatedOrganizations,
    lifecycle,
    budgets,
    usage,
    machinePayments({ stripeUrl: config.stripeUrl }),
    orgSettings,
    operations({ dataFolder: config.dataFolder, processId, standby, isDatabaseFull: space.isFull, now }),
  ]
  const routes = features.flatMap((feature) => feature.routes)
  const handlers = [...mailJobs(openMailer(config, log)), ...features.flatMap(({ jobs = [] }) => jobs)]
  const schedules = features.flatMap((feature) => feature.schedules ?? [])
  checkRoutes(routes)
  checkJobs(handlers)
  await migrate(background)
  await requireSameSecret(background, vault, options.acceptsNewSecret ?? false)
  await migrateJobs(background, connection, log)
  await suspensions.start()
  if (options.isOnlyProcess) {
    const recoveries = features.map(({ recover }) => recover?.(background, now()))
    await Promise.all([releaseOrphanedJobs(background), ...recoveries])
  }

  const credentials = createCredentials({ pools, vault, suspensions, now, log })
  const { identify, reidentify } = credentials
  const { checkOutput, recheckAfterMs } = options
  const reads = options.standby ?? standby
  const resources = { pools, standby: reads, now, vault, objects, outbound, mail, quotas, suspensions, log }
  const invoker = createInvoker({ routes, ...resources, checkOutput, recheckAfterMs })
  const contextOn = (sql: Pool, origin: Origin): PublicContext =>
    createContext({ caller: null, origin, sql, now, vault, objects, outbound, mail, quotas, suspensions })
  const observed = {
    config,
    processId,
    pool,
    background,
    standby,
    features,
    openStreams: streams.size,
    clock,
    log,
  }
  const observability = await openObservability({ ...observed, onFailure: space.report })
  const callCounter = createCallCounter(
    (counts) => addCounts(background, counts),
    now,
    (err) => log.warn({ err }, 'could not store the number of MCP calls'),
  )
  const mcp = createMcp({
    identify: credentials.identifyMcp,
    invoke: (name, call) => invoker.invoke(invoker.byName(name), call),
    sqlFor: invoker.sqlFor,
    findOutsideBlocks,
    listTextOrigins,
    findOpenRun,
    hasNumber: hasActiveNumber,
    countCall: (call) => {
      callCounter.add(call)
      observability.http.metrics.toolCalls.observe([call.tool, call.failed ? 'error' : 'ok'], call.seconds)
    },
    vault,
    now,
    log,
  })
  const parts: Parts = {
    database: () => isMigrated(background),
    isDatabaseFull: space.isFull,
    storage: objects.lastCheck,
    clock,
    isWorkerOnly: config.role === 'worker',
  }
  const http = await createHttp({
    mcp,
    invoker,
    log,
    identify,
    reidentify,
    turns: options.turns ?? createTurns(),
    ...observability.http,
    timeLimits: options.timeLimits,
    bodySpool: createBodySpool(join(config.dataFolder, 'bodies'), options.bodyLimits),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    parts,
    reportFailure: space.report,
    onUndeclared: options.onUndeclared,
    sockets: {
      routes: features.flatMap(({ sockets = [] }) => sockets),
      suspensions,
      contextFor: (origin, orgId) => contextOn(orgId === null ? pool : forOrganization(pool, orgId), origin),
      limits: options.socketLimits,
    },
  })
  const system = (): PublicContext => {
    const origin = { ip: 'system', userAgent: null, baseUrl: config.publicUrl ?? url, flowSecret: null }
    return contextOn(background, origin)
  }
  let backgroundTasks: BackgroundTask[] = []
  let workerHttp: ReturnType<typeof createWorkerHttp> | null = null

  return {
    /** A context for work outside any request: jobs, and set-up at start. */
    system,
    /** Calls an endpoint by its name without HTTP, with the same checks in the same order. */
    invoke: (name: EndpointName, call: Call) => invoker.invoke(invoker.byName(name), call),
    async listen(): Promise<string> {
      await http.listen({ port: config.port, host: config.host })
      const { port } = http.server.address() as AddressInfo
      url = `http://${urlHost(config.host)}:${port}`
      return url
    },
    /** Serves the health and the metrics of a process that serves no requests. Null if the port is in use. */
    async listenForHealth(): Promise<string | null> {
      const { metrics } = observability.http
      workerHttp = createWorkerHttp({ parts, metrics, metricsToken: config.metricsToken, log })
      try {
        await workerHttp.listen({ port: config.healthPort, host: config.host })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
        log.warn(`/readyz is not served: port ${config.healthPort} is in use; set ATRIUM_HEALTH_PORT`)
        return null
      }
      const { port } = workerHttp.server.address() as AddressInfo
      return `http://${urlHost(config.host)}:${port}`
    },
    observability,
    async startWorker() {
      await analyzeNewTables(background)
      const runtime = { pool: background, context: system, clock, suspensions, log, ...observability.jobs }
      backgroundTasks.push(await startWorker({ connection, handlers, schedules, ...runtime }))
      for (const { start } of features) if (start) backgroundTasks.push(await start(runtime))
    },
    /** Finishes running requests and jobs, flushes buffered writes, then closes the database connections. */
    async close() {
      streams.close()
      for (const feature of features) feature.close?.()
      await closeHttp(http)
      await workerHttp?.close()
      await Promise.all(backgroundTasks.map((task) => task.stop()))
      backgroundTasks = []
      clock.stop()
      space.close()
      objects.close()
      await outbound.close()
      await suspensions.stop()
      await Promise.all([credentials.close(), callCounter.close()])
      await observability.close()
      await standby?.close()
      await closePools(pools)
    },
  }
}
