import { t } from './text.ts'

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
    label: t`Projects`,
    unit: 'items',
    default: 1000,
    description: t`Projects outside the trash.`,
  },
  files: {
    label: t`Files`,
    unit: 'items',
    default: 200_000,
    description: t`Files, folders and links, including the trash and pending uploads.`,
  },
  storage: {
    label: t`File storage`,
    unit: 'bytes',
    default: 50 * GIB,
    description: t`Total file size, including the trash and the declared sizes of pending uploads. A copy counts again.`,
  },
  blocks: {
    label: t`Canvas blocks`,
    unit: 'items',
    default: 500_000,
    description: t`Blocks on all canvases, including projects in the trash.`,
  },
  tableRows: {
    label: t`Table rows`,
    unit: 'items',
    default: 2_000_000,
    description: t`Rows in all tables, including projects in the trash and deleted tables.`,
  },
  tableBytes: {
    label: t`Table size`,
    unit: 'bytes',
    default: 5 * GIB,
    description: t`The values in all rows.`,
  },
  history: {
    label: t`Canvas history`,
    unit: 'bytes',
    default: 5 * GIB,
    description: t`History entries on all canvases and tables, including projects in the trash.`,
  },
  agents: {
    label: t`Agents`,
    unit: 'items',
    default: 100,
    description: t`Agents, except archived ones.`,
  },
  schedules: {
    label: t`Schedules`,
    unit: 'items',
    default: 100,
    description: t`Schedules, enabled or not.`,
  },
  skills: {
    label: t`Skills`,
    unit: 'items',
    default: 200,
    description: t`Agent skills. Their files count as file storage.`,
  },
  memories: {
    label: t`Memories`,
    unit: 'items',
    default: 100_000,
    description: t`Memories in all projects and the organization, including proposed ones.`,
  },
  webhooks: {
    label: t`Webhooks`,
    unit: 'items',
    default: 100,
    description: t`Webhooks with any status.`,
  },
  keys: {
    label: t`API keys`,
    unit: 'items',
    default: 1000,
    description: t`All members’ API keys, except revoked ones.`,
  },
  providers: {
    label: t`Model providers`,
    unit: 'items',
    default: 50,
    description: t`Language model providers that the organization added.`,
  },
  guardrails: {
    label: t`Guardrails`,
    unit: 'items',
    default: 100,
    description: t`Rules for what agents read and write.`,
  },
  payments: {
    label: t`Machine payments per day`,
    unit: 'items',
    default: 1000,
    description: t`Machine payments created today (UTC), with any status.`,
  },
  mcp: {
    label: t`MCP servers`,
    unit: 'items',
    default: 50,
    description: t`MCP servers whose tools agents can use.`,
  },
  connections: {
    label: t`Connections`,
    unit: 'items',
    default: 1000,
    description: t`All members’ connections to external services, including pending and expired ones.`,
  },
  streams: {
    label: t`Open streams`,
    unit: 'items',
    default: 500,
    description: t`Event streams open at the same time: live canvases, event logs and “webhooks listen”. Each server process counts its own.`,
  },
  invites: {
    label: t`Pending invitations`,
    unit: 'items',
    default: 500,
    description: t`Invitations to the organization and its projects that can still be accepted.`,
  },
  events: {
    label: t`Stored events`,
    unit: 'items',
    default: 2_000_000,
    description: t`Events in the log. They’re deleted a week at a time, once the week’s last event is 30 days old.`,
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
