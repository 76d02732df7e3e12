import { join } from 'node:path'
import type { Logger } from 'pino'
import type { EndpointName } from '../contract/index.ts'
import type { Config } from './config/config.ts'
import type { Pool } from './database/database.ts'
import type { Standby } from './database/standby/standby.ts'
import type { Call, Result } from './endpoint/call.ts'
import type { Feature } from './feature.ts'
import { accounts } from './features/accounts/accounts/accounts.ts'
import { apiKeys } from './features/accounts/api-keys/api-keys.ts'
import { deviceLogin } from './features/accounts/device-login/device-login.ts'
import { agents } from './features/agents/agents/agents.ts'
import { runChanges } from './features/agents/changes/changes.ts'
import { chat } from './features/agents/chat/chat.ts'
import { guardrails } from './features/agents/guardrails/guardrails.ts'
import { mcpServers } from './features/agents/mcp-servers/mcp-servers.ts'
import { createRunChannel, runs } from './features/agents/runs/runs.ts'
import { schedules } from './features/agents/schedules/schedules.ts'
import { voice } from './features/agents/voice/voice.ts'
import { budgets } from './features/billing/budgets/budgets.ts'
import { machinePayments } from './features/billing/machine-payments/machine-payments.ts'
import { usage } from './features/billing/usage/usage.ts'
import { agentBlocks } from './features/canvas/agent-blocks/agent-blocks.ts'
import { canvas } from './features/canvas/canvas/canvas.ts'
import { comments } from './features/comments/comments/comments.ts'
import { notifications } from './features/comments/notifications/notifications.ts'
import { connections } from './features/connections/connections/connections.ts'
import { connectors } from './features/connections/connectors/connectors.ts'
import { connectorEndpoints } from './features/connections/endpoints/endpoints.ts'
import { feedback } from './features/feedback/feedback.ts'
import { files } from './features/files/files/files.ts'
import { publicLinks } from './features/files/public-links/public-links.ts'
import { home } from './features/home/home.ts'
import { memory } from './features/knowledge/memory/memory.ts'
import { passages } from './features/knowledge/passages/passages.ts'
import { skills } from './features/knowledge/skills/skills.ts'
import { sources } from './features/knowledge/sources/sources.ts'
import { createOpenSearch, webSearch } from './features/knowledge/web-search/web-search.ts'
import { mcpCalls } from './features/mcp/call-counts/call-counts.ts'
import { connectedApps } from './features/mcp/connected-apps/connected-apps.ts'
import { models as providers } from './features/models/providers/providers.ts'
import { lifecycle } from './features/organizations/lifecycle/lifecycle.ts'
import { operatedOrganizations } from './features/organizations/operated/operated.ts'
import { operations } from './features/organizations/operations/operations.ts'
import { organizations } from './features/organizations/organizations/organizations.ts'
import { quotas } from './features/organizations/quotas/quotas.ts'
import { orgSettings } from './features/organizations/settings/settings.ts'
import { workspaces } from './features/organizations/workspaces/workspaces.ts'
import { projectExport } from './features/projects/export/export.ts'
import { projects } from './features/projects/projects/projects.ts'
import { sampleProject } from './features/projects/sample/sample.ts'
import { sharing } from './features/projects/sharing/sharing.ts'
import { tables } from './features/projects/tables/tables.ts'
import { projectTemplates } from './features/projects/templates/templates.ts'
import { search } from './features/search/search.ts'
import { telephony } from './features/telephony/telephony.ts'
import { webhooks } from './features/webhooks/webhooks.ts'
import { createGenerateText } from './language-models/generate-text.ts'
import type { Models } from './language-models/models.ts'
import type { Vault } from './security/vault.ts'
import type { Streams } from './streams/streams.ts'

export interface FeatureOptions {
  config: Config
  pool: Pool
  vault: Vault
  models: Models
  streams: Streams
  standby: Standby | null
  processId: string
  isDatabaseFull: () => boolean
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  now: () => Date
  log: Logger
}

/** Features that many others build on come first. */
export function listFeatures(options: FeatureOptions): Feature[] {
  const { config, pool, vault, models, streams, standby, processId, isDatabaseFull, invoke, now, log } =
    options
  const { connectors: connectorsConfig, publicUrl, dataFolder } = config
  const environment = config.production ? 'live' : 'test'
  const runChannel = createRunChannel(pool, streams)
  return [
    accounts({ signup: config.signup, oauthClients: config.oauthClients, log }),
    organizations,
    workspaces,
    orgSettings({ models }),
    quotas,
    apiKeys({ environment }),
    deviceLogin({ environment }),
    connectedApps(),
    projects({ generateText: createGenerateText(config.models.providers), log }),
    sharing,
    canvas({ pool, streams }),
    tables,
    files,
    publicLinks,
    comments,
    notifications,
    memory,
    passages({ models }),
    skills,
    providers(models),
    webSearch(config.webSearch, models),
    budgets,
    usage,
    machinePayments({ stripeUrl: config.stripeUrl }),
    agents({ models }),
    mcpServers({ log }),
    guardrails({ models }),
    runs({
      channel: runChannel,
      models,
      invoke,
      outside: { vault, now, connectors: connectorsConfig },
      web: {
        openSearch: createOpenSearch({ server: config.webSearch, vault, models }),
        limits: config.webSearch,
      },
      log,
    }),
    runChanges,
    chat({ models, streams, runChannel }),
    voice({ models, spoolFolder: join(dataFolder, 'bodies') }),
    agentBlocks({ models }),
    schedules({ models }),
    connectors(connectorsConfig),
    connections({ connectors: connectorsConfig, log }),
    sources({ connectors: connectorsConfig }),
    connectorEndpoints({ models, connectors: connectorsConfig, publicUrl, log }),
    webhooks({ streams }),
    telephony({
      models,
      runChannel,
      connectors: connectorsConfig,
      accounts: config.telephony,
      publicUrl,
      log,
    }),
    mcpCalls,
    home({ dataFolder, models }),
    // After the others: deleting a purged project's content may add entries.
    search,
    feedback,
    sampleProject({ models }),
    projectExport,
    projectTemplates,
    lifecycle,
    operatedOrganizations,
    operations({ dataFolder, processId, standby, isDatabaseFull, now }),
  ]
}
