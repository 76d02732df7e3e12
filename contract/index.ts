import { accounts } from './accounts/accounts.ts'
import { apiKeys } from './accounts/api-keys.ts'
import { deviceLogin } from './accounts/device-login.ts'
import { oauth } from './accounts/oauth.ts'
import { passkeys } from './accounts/passkeys.ts'
import { security } from './accounts/security.ts'
import { signIn } from './accounts/sign-in.ts'
import { agentRuns } from './agents/agent-runs.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './agents/approvals.ts'
import { guardrails } from './agents/guardrails.ts'
import { mcpServers } from './agents/mcp-servers.ts'
import { schedules } from './agents/schedules.ts'
import { sessions } from './agents/sessions.ts'
import { voice } from './agents/voice.ts'
import { budgets } from './billing/budgets.ts'
import { machinePayments } from './billing/machine-payments.ts'
import { mandates } from './billing/mandates.ts'
import { paymentProvider } from './billing/payment-provider.ts'
import { usage } from './billing/usage.ts'
import { agentBlocks } from './canvas/agent-blocks.ts'
import { canvas } from './canvas/canvas.ts'
import { forEach } from './canvas/for-each.ts'
import { forms } from './canvas/forms.ts'
import { live } from './canvas/live.ts'
import { runs } from './canvas/runs.ts'
import { comments } from './comments/comments.ts'
import { notifications } from './comments/notifications.ts'
import { connections } from './connections/connections.ts'
import { connectorEndpoints } from './connections/connector-endpoints.ts'
import { connectors } from './connections/connectors.ts'
import { customConnectors } from './connections/custom-connectors.ts'
import type { Endpoint } from './endpoint.ts'
import { feedback } from './feedback.ts'
import { fileTables } from './files/file-tables.ts'
import { fileTexts } from './files/file-texts.ts'
import { fileVersions } from './files/file-versions.ts'
import { files, objects } from './files/files.ts'
import { fileImages } from './files/images.ts'
import { publicLinks } from './files/public-links.ts'
import { fileRetention, fileTrash } from './files/retention.ts'
import { home } from './home/home.ts'
import { embeddings } from './knowledge/embeddings.ts'
import { memory } from './knowledge/memory.ts'
import { passages } from './knowledge/passages.ts'
import { skills } from './knowledge/skills.ts'
import { sources } from './knowledge/sources.ts'
import { webSearch } from './knowledge/web-search.ts'
import { authorizationServer } from './mcp/authorization-server.ts'
import { connectedApps } from './mcp/connected-apps.ts'
import { mcpCalls } from './mcp/mcp-calls.ts'
import { modelProviders } from './models/model-providers.ts'
import { modelSettings } from './models/model-settings.ts'
import { models } from './models/models.ts'
import { erasures } from './organizations/erasures.ts'
import { organizationExports } from './organizations/exports.ts'
import { invites } from './organizations/invites.ts'
import { operatedOrganizations } from './organizations/operated.ts'
import { operations } from './organizations/operations.ts'
import { organization } from './organizations/organization.ts'
import { quotas } from './organizations/quotas.ts'
import { orgSettings } from './organizations/settings.ts'
import { workspaces } from './organizations/workspaces.ts'
import { projectBulk } from './projects/bulk.ts'
import { favourites } from './projects/favourites.ts'
import { projectPreviews } from './projects/previews.ts'
import { projectExport } from './projects/project-export.ts'
import { projects } from './projects/projects.ts'
import { sharing } from './projects/sharing.ts'
import { tables } from './projects/tables.ts'
import { templates } from './projects/templates.ts'
import { projectViews } from './projects/views.ts'
import { search } from './search/search.ts'
import { browserCalls } from './telephony/browser-calls.ts'
import { calls } from './telephony/calls.ts'
import { carrierCallbacks } from './telephony/carrier-callbacks.ts'
import { phoneNumbers } from './telephony/phone-numbers.ts'
import { routing } from './telephony/routing.ts'
import { sms } from './telephony/sms.ts'
import { telephony } from './telephony/telephony.ts'
import { voiceAgents } from './telephony/voice-agents.ts'
import { webhooks } from './webhooks/webhooks.ts'

export const contract = {
  accounts,
  signIn,
  oauth,
  passkeys,
  security,
  organization,
  invites,
  workspaces,
  apiKeys,
  deviceLogin,
  connectedApps,
  authorizationServer,
  agents,
  sessions,
  voice,
  agentRuns,
  approvals,
  guardrails,
  mcpServers,
  connectors,
  connectorEndpoints,
  connections,
  customConnectors,
  schedules,
  memory,
  passages,
  sources,
  skills,
  projects,
  favourites,
  projectBulk,
  projectPreviews,
  tables,
  templates,
  projectViews,
  canvas,
  agentBlocks,
  forEach,
  forms,
  runs,
  projectExport,
  live,
  sharing,
  comments,
  notifications,
  files,
  fileVersions,
  publicLinks,
  fileTrash,
  fileRetention,
  fileTables,
  fileTexts,
  fileImages,
  objects,
  search,
  home,
  webhooks,
  telephony,
  phoneNumbers,
  browserCalls,
  calls,
  sms,
  routing,
  carrierCallbacks,
  voiceAgents,
  models,
  modelProviders,
  webSearch,
  embeddings,
  modelSettings,
  mcpCalls,
  feedback,
  quotas,
  operatedOrganizations,
  organizationExports,
  erasures,
  budgets,
  usage,
  machinePayments,
  mandates,
  paymentProvider,
  orgSettings,
  operations,
}

export type Contract = typeof contract

/** Such as `projects.create`. Used by OpenAPI, the documentation and tools. */
export type EndpointName = { [G in keyof Contract]: `${G}.${keyof Contract[G] & string}` }[keyof Contract]

const namedEndpoints = Object.entries(contract).flatMap(([group, members]) =>
  Object.entries(members).map(
    ([key, endpoint]) => [`${group}.${key}` as EndpointName, endpoint as Endpoint] as const,
  ),
)

export const endpointsByName = Object.fromEntries(namedEndpoints) as Record<EndpointName, Endpoint>

export const endpoints: Endpoint[] = Object.values(endpointsByName)

const names = new Map(namedEndpoints.map(([name, endpoint]) => [endpoint, name]))

/** Undefined for an endpoint outside the contract. */
export const endpointName = (endpoint: Endpoint): EndpointName | undefined => names.get(endpoint)
