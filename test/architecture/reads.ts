import { featureOf } from './features.ts'
import { sources, textOf } from './imports.ts'
import { OWNERS } from './tables.ts'

/** Who is who and may see what: every folder joins these. */
export const BASE_TABLES = [
  'users',
  'organizations',
  'memberships',
  'workspaces',
  'workspace_members',
  'projects',
  'project_workspaces',
]

/** Folders whose purpose is to read what others own. */
export const READS_ALL: { folder: string; reason: string }[] = [
  { folder: 'server/backup', reason: 'a backup contains every table' },
  { folder: 'server/metering', reason: 'quotas count the rows of each feature, in one statement' },
  { folder: 'server/features/organizations/lifecycle', reason: 'exports and erasures cover every table' },
  { folder: 'server/features/organizations/operations', reason: 'the health page measures every queue' },
]

/**
 * The features and folders that read a table of another one in their own statements, because a join there saves a round
 * trip or a page of the list depends on it. Anything else calls the owner.
 */
export const READERS: Record<string, string[]> = {
  agent_sessions: ['agents/chat', 'agents/runs', 'home', 'knowledge/passages', 'search'],
  agent_versions: ['agents/runs', 'billing/budgets', 'home', 'knowledge/skills', 'telephony'],
  agents: [
    'agents/chat',
    'agents/runs',
    'agents/schedules',
    'billing/budgets',
    'billing/usage',
    'connections/endpoints',
    'home',
    'telephony',
  ],
  api_keys: [
    'accounts/accounts',
    'accounts/device-login',
    'agents/runs',
    'agents/schedules',
    'billing/budgets',
    'billing/usage',
    'home',
    'organizations/organizations',
  ],
  app_grants: ['accounts/accounts', 'agents/runs', 'billing/usage'],
  approvals: ['billing/machine-payments', 'home', 'search'],
  blocks: [
    'agents/chat',
    'agents/runs',
    'agents/schedules',
    'canvas/agent-blocks',
    'comments/comments',
    'comments/notifications',
    'home',
    'knowledge/passages',
    'projects/tables',
    'telephony',
  ],
  calls: ['search'],
  canvas_changes: ['agents/runs', 'comments/comments', 'home'],
  comments: ['comments/notifications', 'home'],
  connections: [
    'agents/runs',
    'comments/notifications',
    'connections/endpoints',
    'home',
    'knowledge/sources',
    'telephony',
  ],
  deliveries: ['home', 'search'],
  edges: ['canvas/agent-blocks'],
  erasures: ['server/suspensions'],
  events: ['canvas/agent-blocks', 'organizations/operated', 'search', 'webhooks'],
  feedback: ['home'],
  files: [
    'canvas/agent-blocks',
    'comments/notifications',
    'home',
    'knowledge/passages',
    'projects/tables',
    'search',
  ],
  folders: [
    'canvas/agent-blocks',
    'comments/notifications',
    'home',
    'knowledge/passages',
    'projects/projects',
    'projects/tables',
    'search',
  ],
  invites: ['home'],
  machine_payments: ['home'],
  memories: ['knowledge/passages'],
  messages: [
    'agents/chat',
    'agents/outside-messages',
    'agents/runs',
    'knowledge/passages',
    'search',
    'telephony',
  ],
  notification_settings: ['home'],
  // A description belongs to a content, and must not outlive it.
  objects: ['agents/runs'],
  org_settings: ['agents/runs', 'billing/budgets'],
  project_shares: ['knowledge/sources', 'projects/access', 'search'],
  quota_usage: ['organizations/operated'],
  reservations: ['telephony'],
  run_calls: ['agents/mcp-servers', 'billing/machine-payments'],
  run_events: ['agents/chat'],
  run_steps: ['agents/conversations', 'home'],
  runs: [
    'agents/agents',
    'agents/chat',
    'agents/conversations',
    'agents/outside-messages',
    'agents/schedules',
    'billing/budgets',
    'billing/machine-payments',
    'canvas/agent-blocks',
    'canvas/canvas',
    'comments/comments',
    'connections/endpoints',
    'files/files',
    'home',
    'knowledge/memory',
    'knowledge/passages',
    'organizations/operated',
    'projects/tables',
    'telephony',
    'webhooks',
  ],
  schedules: ['home', 'organizations/organizations'],
  search_entries: ['home', 'knowledge/passages'],
  search_opened: ['home', 'projects/projects'],
  sessions: ['organizations/organizations'],
  skill_versions: ['agents/runs'],
  skills: ['agents/runs'],
  sms_messages: ['search'],
  suspensions: ['accounts/accounts', 'organizations/operated', 'server/suspensions'],
  text_origins: ['knowledge/passages', 'projects/tables'],
  usage: ['billing/usage'],
  usage_days: ['organizations/operated', 'telephony'],
  webhooks: ['server/events', 'home'],
}

export interface Read {
  file: string
  /** The feature (`agents/runs`) or the folder (`server/events`) of the file. */
  reader: string
  table: string
}

/** Reads of tables that another folder owns, as the statements in the sources name them. */
export const foreignReads: Read[] = sources
  .filter(
    (file) => file.startsWith('server/') && !READS_ALL.some(({ folder }) => file.startsWith(`${folder}/`)),
  )
  .flatMap((file) =>
    [...textOf(file).matchAll(/(?<!delete )\b(?:from|join|using)\s+(?:lateral\s+|only\s+)?(\w+)/g)].map(
      ([, table]) => ({ file, reader: featureOf(file) ?? folderOf(file), table: table! }),
    ),
  )
  .filter(
    ({ file, table }) =>
      OWNERS[table] !== undefined && !BASE_TABLES.includes(table) && !file.startsWith(`${OWNERS[table]}/`),
  )

function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}
