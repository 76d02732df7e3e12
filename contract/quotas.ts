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
      'The sizes of all files, including the trash and the declared sizes of pending uploads. A copy counts again.',
  },
  blocks: {
    label: 'Canvas blocks',
    unit: 'items',
    default: 500_000,
    description: 'Blocks on all canvases, including those of projects in the trash.',
  },
  history: {
    label: 'Canvas history',
    unit: 'bytes',
    default: 5 * GIB,
    description: 'The entries in the histories of all canvases, including those of projects in the trash.',
  },
  agents: {
    label: 'Agents',
    unit: 'items',
    default: 100,
    description: 'Agents that are not archived.',
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
    description: 'Skills of agents. Their files count as file storage.',
  },
  memories: {
    label: 'Memories',
    unit: 'items',
    default: 100_000,
    description: 'Memories of all projects and of the organization, and proposed ones.',
  },
  webhooks: {
    label: 'Webhooks',
    unit: 'items',
    default: 100,
    description: 'Webhooks of any status.',
  },
  keys: {
    label: 'API keys',
    unit: 'items',
    default: 1000,
    description: 'API keys of all members that are not revoked.',
  },
  providers: {
    label: 'Model providers',
    unit: 'items',
    default: 50,
    description: 'Providers of language models that the organization added.',
  },
  guardrails: {
    label: 'Guardrails',
    unit: 'items',
    default: 100,
    description: 'Rules about the texts of agents.',
  },
  payments: {
    label: 'Machine payments per day',
    unit: 'items',
    default: 1000,
    description: 'Machine payments created today (UTC), of every status.',
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
    description: 'Connections of all members to outside services, including pending and expired ones.',
  },
  streams: {
    label: 'Open streams',
    unit: 'items',
    default: 500,
    description:
      'Event streams that are open at the same time: live canvases, event logs and listening webhooks. Each server process counts its own.',
  },
  invites: {
    label: 'Pending invitations',
    unit: 'items',
    default: 500,
    description: 'Invitations to the organization and to projects that can still be accepted.',
  },
  events: {
    label: 'Stored events',
    unit: 'items',
    default: 2_000_000,
    description: 'Events in the log. A week of them is deleted once its last event is 30 days old.',
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
