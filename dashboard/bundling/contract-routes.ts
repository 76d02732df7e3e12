import type { Plugin } from 'vite'
import type { Endpoint } from '../../contract/endpoint.ts'
import { contract } from '../../contract/index.ts'

/** Excludes endpoints for other programs: the authorization server and carrier callbacks. */
/**
 * Groups with routes that load with their pages. The rest are in `virtual:routes` on the first page, which this makes 3
 * kB smaller.
 */
const ROUTE_MODULES = {
  comment: ['comments', 'notifications'],
  connection: ['connections', 'connectors', 'connectorEndpoints', 'customConnectors'],
  file: ['fileVersions', 'publicLinks', 'fileTrash', 'fileRetention'],
  'mcp-server': ['mcpServers'],
  organization: [
    'operatedOrganizations',
    'organizationExports',
    'erasures',
    'quotas',
    'orgSettings',
    'operations',
    'mcpCalls',
    'organization',
    'modelProviders',
    'modelSettings',
    'webSearch',
    'embeddings',
  ],
  payment: ['machinePayments', 'mandates', 'paymentProvider'],
  project: ['projectExport', 'favourites', 'projectBulk', 'projectPreviews', 'templates', 'projectViews'],
  schedule: ['schedules'],
  source: ['sources'],
  skill: ['skills', 'guardrails'],
  telephony: ['telephony', 'phoneNumbers', 'calls', 'browserCalls', 'sms', 'routing', 'voiceAgents'],
  webhook: ['webhooks'],
} as const

export type RouteModule = keyof typeof ROUTE_MODULES
export type GroupOf<M extends RouteModule> = (typeof ROUTE_MODULES)[M][number]

const { authorizationServer: _, carrierCallbacks: __, ...dashboardGroups } = contract
const groups: Record<string, Record<string, Endpoint>> = dashboardGroups
const lateGroups = new Set<string>(Object.values(ROUTE_MODULES).flat())

const pick = (isPicked: (group: string) => boolean) =>
  Object.fromEntries(Object.entries(groups).filter(([group]) => isPicked(group)))

const MODULES = {
  'virtual:routes': pick((group) => !lateGroups.has(group)),
  ...Object.fromEntries(
    Object.entries(ROUTE_MODULES).map(([name, members]: [string, readonly string[]]) => [
      `virtual:${name}-routes`,
      pick((group) => members.includes(group)),
    ]),
  ),
} as Record<string, typeof groups>

/** Excludes provider events, and redirects, downloads, streams and signed URLs, which the browser opens itself. */
const isCalled = ({ access, redirects, bytes, raw, path }: Endpoint) =>
  !redirects &&
  !raw &&
  (!bytes || bytes === 'sometimes') &&
  (access.kind !== 'signature' || GUEST_PATH.test(path))

/** Called from public link pages with a guest token. */
const GUEST_PATH = /^\/api\/v1\/public-links\/:token\//

/** `api/client.ts` reads one line per route: `GET! /api/v1/files limit cursor`. `!` means it returns an envelope. */
const routeLines = (module: typeof groups) =>
  Object.fromEntries(
    Object.entries(module).map(([group, members]) => [
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

/** Keeps the schemas out of the bundle. */
export function contractRoutes(): Plugin {
  return {
    name: 'atrium:contract-routes',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => {
      const module = MODULES[id.slice(1)]
      return module && `export default ${JSON.stringify(routeLines(module))}`
    },
  }
}
