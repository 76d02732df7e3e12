/** Plain data without schemas: the server enforces it, the dashboard, the CLI and the documentation show it. */
export interface QuotaDefinition {
  label: string
  unit: 'items' | 'bytes'
  /** Without an override, unless the server's configuration sets another. */
  default: number
  description: string
}

const GIB = 1_073_741_824

export const QUOTAS = {
  projects: {
    label: 'Projects',
    unit: 'items',
    default: 1000,
    description: 'Projects outside the trash.',
  },
  files: {
    label: 'Files',
    unit: 'items',
    default: 200_000,
    description: 'Files, folders and links, including the trash and pending uploads.',
  },
  storage: {
    label: 'File storage',
    unit: 'bytes',
    default: 50 * GIB,
    description:
      'Total file size, including the trash and the declared sizes of pending uploads. A copy counts again.',
  },
  blocks: {
    label: 'Canvas blocks',
    unit: 'items',
    default: 500_000,
    description: 'Blocks on all canvases, including projects in the trash.',
  },
  history: {
    label: 'Canvas history',
    unit: 'bytes',
    default: 5 * GIB,
    description: 'History entries on all canvases, including projects in the trash.',
  },
  agents: {
    label: 'Agents',
    unit: 'items',
    default: 100,
    description: 'Agents, except archived ones.',
  },
  schedules: {
    label: 'Schedules',
    unit: 'items',
    default: 100,
    description: 'Schedules, enabled or not.',
  },
  skills: {
    label: 'Skills',
    unit: 'items',
    default: 200,
    description: 'Agent skills. Their files count as file storage.',
  },
  memories: {
    label: 'Memories',
    unit: 'items',
    default: 100_000,
    description: 'Memories in all projects and the organization, including proposed ones.',
  },
  webhooks: {
    label: 'Webhooks',
    unit: 'items',
    default: 100,
    description: 'Webhooks with any status.',
  },
  keys: {
    label: 'API keys',
    unit: 'items',
    default: 1000,
    description: 'All members’ API keys, except revoked ones.',
  },
  providers: {
    label: 'Model providers',
    unit: 'items',
    default: 50,
    description: 'Language model providers that the organization added.',
  },
  guardrails: {
    label: 'Guardrails',
    unit: 'items',
    default: 100,
    description: 'Rules for what agents read and write.',
  },
  payments: {
    label: 'Machine payments per day',
    unit: 'items',
    default: 1000,
    description: 'Machine payments created today (UTC), with any status.',
  },
  mcp: {
    label: 'MCP servers',
    unit: 'items',
    default: 50,
    description: 'MCP servers whose tools agents can use.',
  },
  connections: {
    label: 'Connections',
    unit: 'items',
    default: 1000,
    description: 'All members’ connections to external services, including pending and expired ones.',
  },
  streams: {
    label: 'Open streams',
    unit: 'items',
    default: 500,
    description:
      'Event streams open at the same time: live canvases, event logs and listening webhooks. Each server process counts its own.',
  },
  invites: {
    label: 'Pending invitations',
    unit: 'items',
    default: 500,
    description: 'Invitations to the organization and its projects that can still be accepted.',
  },
  events: {
    label: 'Stored events',
    unit: 'items',
    default: 2_000_000,
    description: 'Events in the log. Each week is deleted once its last event is 30 days old.',
  },
} as const satisfies Record<string, QuotaDefinition>

export type QuotaName = keyof typeof QUOTAS

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[]

/** Practically unlimited, and exact in every client. */
export const QUOTA_MAX = 1_000_000_000_000_000

/** Open streams per server process. */
export const STREAMS_MAX = { person: 100, key: 50, link: 100 }

/** From one IP address, and by all of a link's guests together. */
export const GUEST_WRITES_PER_MINUTE = { address: 120, link: 600 }
export const GUEST_BYTES_PER_MINUTE = { address: 2_097_152, link: 8_388_608 }
