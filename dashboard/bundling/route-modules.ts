/**
 * The groups of the contract whose routes load with their pages, by the virtual module (`virtual:file-routes`) that has
 * them. All other groups are in `virtual:routes`, which the first page contains: this saves it 3 kB.
 */
export const ROUTE_MODULES = {
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
  ],
  payment: ['machinePayments', 'mandates', 'paymentProvider'],
  project: ['projectExport', 'favourites', 'projectBulk', 'projectPreviews', 'templates', 'projectViews'],
  schedule: ['schedules'],
  skill: ['skills', 'guardrails'],
  telephony: ['telephony', 'phoneNumbers', 'calls', 'sms', 'routing', 'voiceAgents'],
  webhook: ['webhooks'],
} as const

export type RouteModule = keyof typeof ROUTE_MODULES
export type GroupOf<M extends RouteModule> = (typeof ROUTE_MODULES)[M][number]
