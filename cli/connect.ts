import { type Client, createClient, toRoutes } from '../client/client.ts'
import { apiKeys } from '../contract/accounts/api-keys.ts'
import { deviceLogin } from '../contract/accounts/device-login.ts'
import { agentRuns } from '../contract/agents/agent-runs.ts'
import { agents } from '../contract/agents/agents.ts'
import { approvals } from '../contract/agents/approvals.ts'
import { guardrails } from '../contract/agents/guardrails.ts'
import { mcpServers } from '../contract/agents/mcp-servers.ts'
import { schedules } from '../contract/agents/schedules.ts'
import { sessions } from '../contract/agents/sessions.ts'
import { budgets } from '../contract/billing/budgets.ts'
import { machinePayments } from '../contract/billing/machine-payments.ts'
import { usage } from '../contract/billing/usage.ts'
import { canvas } from '../contract/canvas/canvas.ts'
import { forEach } from '../contract/canvas/for-each.ts'
import { forms } from '../contract/canvas/forms.ts'
import { comments } from '../contract/comments/comments.ts'
import { notifications } from '../contract/comments/notifications.ts'
import { connections } from '../contract/connections/connections.ts'
import { connectorEndpoints } from '../contract/connections/connector-endpoints.ts'
import { connectors } from '../contract/connections/connectors.ts'
import type { Endpoint, OutputOf } from '../contract/endpoint.ts'
import { fileVersions } from '../contract/files/file-versions.ts'
import { files } from '../contract/files/files.ts'
import { publicLinks } from '../contract/files/public-links.ts'
import { fileTrash } from '../contract/files/retention.ts'
import { home } from '../contract/home/home.ts'
import { embeddings } from '../contract/knowledge/embeddings.ts'
import { memory } from '../contract/knowledge/memory.ts'
import { passages } from '../contract/knowledge/passages.ts'
import { skills } from '../contract/knowledge/skills.ts'
import { sources } from '../contract/knowledge/sources.ts'
import { webSearch } from '../contract/knowledge/web-search.ts'
import { connectedApps } from '../contract/mcp/connected-apps.ts'
import { modelProviders } from '../contract/models/model-providers.ts'
import { models } from '../contract/models/models.ts'
import { organization } from '../contract/organizations/organization.ts'
import { quotas } from '../contract/organizations/quotas.ts'
import { workspaces } from '../contract/organizations/workspaces.ts'
import { favourites } from '../contract/projects/favourites.ts'
import { projectExport } from '../contract/projects/project-export.ts'
import { projects } from '../contract/projects/projects.ts'
import { tables } from '../contract/projects/tables.ts'
import { templates } from '../contract/projects/templates.ts'
import { search } from '../contract/search/search.ts'
import { calls } from '../contract/telephony/calls.ts'
import { phoneNumbers } from '../contract/telephony/phone-numbers.ts'
import { routing } from '../contract/telephony/routing.ts'
import { sms } from '../contract/telephony/sms.ts'
import { telephony } from '../contract/telephony/telephony.ts'
import { webhooks } from '../contract/webhooks/webhooks.ts'
import type { CliEnvironment } from './config.ts'
import { type Credential, readCredentials, type StoredCredentials } from './credentials.ts'
import { explain, Failure, notAtrium } from './failure.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:3000'
const TIMEOUT_MS = 30_000
/** For calls that transfer a whole project. */
export const LONG_TIMEOUT_MS = 600_000

/** Loading the whole contract took a quarter of a command's start time. */
const contract = {
  agentRuns,
  agents,
  apiKeys,
  approvals,
  budgets,
  calls,
  canvas,
  comments,
  connectedApps,
  connections,
  connectorEndpoints,
  connectors,
  projectExport,
  deviceLogin,
  favourites,
  files,
  fileVersions,
  forEach,
  forms,
  home,
  memory,
  passages,
  search,
  modelProviders,
  webSearch,
  embeddings,
  models,
  notifications,
  phoneNumbers,
  projects,
  publicLinks,
  fileTrash,
  organization,
  quotas,
  routing,
  guardrails,
  mcpServers,
  machinePayments,
  schedules,
  sources,
  sessions,
  skills,
  sms,
  tables,
  telephony,
  templates,
  usage,
  webhooks,
  workspaces,
}

export type AtriumClient = Client<typeof contract>

export interface Connection {
  server: string
  client: AtriumClient
  /** Null when the key came from ATRIUM_API_KEY. */
  credential: Credential | null
  /** Authenticated, without a timeout. For file contents and streams. */
  request: (path: string, init?: RequestInit) => Promise<Response>
}

/** Precedence: option, environment, last sign-in, this machine. */
export function chooseServer(
  serverOption: string | undefined,
  environment: CliEnvironment,
  storedCredentials: StoredCredentials,
): string {
  return normalizeUrl(serverOption ?? environment.server ?? storedCredentials.current ?? DEFAULT_SERVER)
}

export async function connect(
  serverOption: string | undefined,
  environment: CliEnvironment,
  timeoutMs = TIMEOUT_MS,
): Promise<Connection> {
  const storedCredentials = await readCredentials(environment.folder)
  const server = chooseServer(serverOption, environment, storedCredentials)
  const credential = environment.apiKey ? null : (storedCredentials.servers[server] ?? null)
  const key = environment.apiKey ?? credential?.key
  if (!key)
    throw new Failure(
      'not signed in',
      `Not signed in to ${server}`,
      signInHint(server, Object.keys(storedCredentials.servers)),
    )
  const request: Connection['request'] = (path, init) =>
    fetch(server + path, { redirect: 'manual', ...init, headers: { ...init?.headers, ...headersOf(key) } })
  return { server, credential, client: createServerClient(server, key, timeoutMs), request }
}

/** Follows no redirect, so the key is sent only to the named server. */
export function createServerClient(server: string, key?: string, timeoutMs = TIMEOUT_MS): AtriumClient {
  return createClient<typeof contract>(toRoutes(contract), {
    baseUrl: server,
    headers: () => headersOf(key),
    fetch: (input, init) =>
      fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }),
  })
}

const headersOf = (key?: string): Record<string, string> => ({
  'user-agent': 'atrium-cli',
  ...(key ? { authorization: `Bearer ${key}` } : {}),
})

/** The URL may belong to another program. A caller below the role in `reduced` gets fewer fields than the type has. */
export async function parseResponse<E extends Endpoint>(
  server: string,
  endpoint: E,
  response: Promise<OutputOf<E>>,
): Promise<OutputOf<E>> {
  const received = await response.catch((error: unknown) => {
    throw explain(error, server)
  })
  const { output, reduced } = endpoint
  const parsed = (reduced ? output.or(reduced.output) : output).safeParse(received)
  if (!parsed.success) throw notAtrium(server, endpoint.status ?? 200)
  return parsed.data as OutputOf<E>
}

function normalizeUrl(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text)
  const full = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new Failure('usage', `${text} is not a valid server URL`, 'Example: https://atrium.example.com')
  return url.origin
}

function signInHint(server: string, signedInServers: string[]): string {
  const command = `Run \`npx atrium login --server ${server}\`, or set ATRIUM_API_KEY.`
  return signedInServers.length > 0
    ? `${command} You’re signed in to ${signedInServers.join(', ')}.`
    : command
}
