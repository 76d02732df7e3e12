import type { Plugin } from 'vite'
import type { Endpoint } from '../../contract/endpoint.ts'
import { contract } from '../../contract/index.ts'

/** Other programs call the authorization server, and carriers their callbacks. */
const { authorizationServer: _, carrierCallbacks: __, ...shown } = contract
const {
  telephony,
  phoneNumbers,
  calls,
  sms,
  routing,
  voiceAgents,
  comments,
  notifications,
  mcpServers,
  skills,
  guardrails,
  machinePayments,
  mandates,
  paymentProvider,
  schedules,
  projectExport,
  favourites,
  projectBulk,
  projectPreviews,
  templates,
  projectViews,
  fileVersions,
  publicLinks,
  fileTrash,
  fileRetention,
  operatedOrganizations,
  organizationExports,
  erasures,
  quotas,
  orgSettings,
  operations,
  mcpCalls,
  connections,
  connectors,
  connectorEndpoints,
  customConnectors,
  webhooks,
  organization,
  modelProviders,
  ...rest
} = shown

/** The first page contains the routes of `virtual:routes`; others load with their pages, which saves 3 kB. */
const MODULES: Record<string, Record<string, Record<string, Endpoint>>> = {
  'virtual:routes': rest,
  'virtual:file-routes': { fileVersions, publicLinks, fileTrash, fileRetention },
  'virtual:connection-routes': { connections, connectors, connectorEndpoints, customConnectors },
  'virtual:payment-routes': { machinePayments, mandates, paymentProvider },
  'virtual:project-routes': {
    projectExport,
    favourites,
    projectBulk,
    projectPreviews,
    templates,
    projectViews,
  },
  'virtual:organization-routes': {
    operatedOrganizations,
    organizationExports,
    erasures,
    quotas,
    orgSettings,
    operations,
    mcpCalls,
    organization,
    modelProviders,
  },
  'virtual:webhook-routes': { webhooks },
  'virtual:schedule-routes': { schedules },
  'virtual:skill-routes': { skills, guardrails },
  'virtual:mcp-server-routes': { mcpServers },
  'virtual:comment-routes': { comments, notifications },
  'virtual:telephony-routes': { telephony, phoneNumbers, calls, sms, routing, voiceAgents },
}

/** Providers send events, and browsers open redirects, downloads, streams and signed URLs. */
const isCalled = ({ access, redirects, bytes, raw, path }: Endpoint) =>
  !redirects && !raw && (!bytes || bytes === 'sometimes') && (access.kind !== 'signature' || GUEST.test(path))

/** The page of a public link calls these with its guest token. */
const GUEST = /^\/api\/v1\/public-links\/:ticket\//

/** One line per route, which `api/client.ts` reads: `GET! /api/v1/files limit cursor`. `!`: it returns an envelope. */
const written = (groups: Record<string, Record<string, Endpoint>>) =>
  Object.fromEntries(
    Object.entries(groups).map(([group, members]) => [
      group,
      Object.fromEntries(
        Object.entries(members)
          .filter(([, endpoint]) => isCalled(endpoint))
          .map(([name, { method, path, query, envelope }]) => [
            name,
            [`${method}${envelope ? '!' : ''}`, path, ...Object.keys(query?.shape ?? {})].join(' '),
          ]),
      ),
    ]),
  )

/** Provides the API's routes as virtual modules, so that the bundle does not contain the schemas. */
export function contractRoutes(): Plugin {
  return {
    name: 'atrium:contract-routes',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => {
      const groups = MODULES[id.slice(1)]
      return groups && `export default ${JSON.stringify(written(groups))}`
    },
  }
}
