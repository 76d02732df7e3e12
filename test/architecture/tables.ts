/** The folder that writes each table. Other folders call it through its front door. */
export const OWNERS: Record<string, string> = {
  api_keys: 'server/features/api-keys',
  audit: 'server/audit',
  blocks: 'server/features/canvas',
  canvas_changes: 'server/features/canvas',
  deliveries: 'server/features/webhooks',
  delivery_attempts: 'server/features/webhooks',
  device_logins: 'server/features/device-login',
  edges: 'server/features/canvas',
  events: 'server/events',
  feedback: 'server/features/feedback',
  feedback_changes: 'server/features/feedback',
  feedback_comments: 'server/features/feedback',
  files: 'server/features/files',
  folders: 'server/features/files',
  idempotent_answers: 'server/endpoint',
  identities: 'server/features/accounts',
  invites: 'server/features/organizations',
  job_processes: 'server/jobs',
  mails: 'server/mail',
  memberships: 'server/features/organizations',
  objects: 'server/features/files',
  organizations: 'server/features/organizations',
  passkeys: 'server/features/accounts',
  project_invites: 'server/features/sharing',
  project_shares: 'server/features/sharing',
  project_workspaces: 'server/features/projects',
  projects: 'server/features/projects',
  rate_limits: 'server/database',
  recovery_codes: 'server/features/accounts',
  runs: 'server/features/runs',
  sessions: 'server/features/accounts',
  setup_links: 'server/features/accounts',
  snapshots: 'server/features/canvas',
  tickets: 'server/features/accounts',
  users: 'server/features/accounts',
  webhook_seen: 'server/features/webhooks',
  webhooks: 'server/features/webhooks',
  workspace_members: 'server/features/workspaces',
  workspaces: 'server/features/workspaces',
}

/** Writes from another folder, each with its reason. */
export const WRITERS: Record<string, string> = {
  'server/features/accounts/setup/setup-queries.ts organizations': SETUP(),
  'server/features/accounts/setup/setup-queries.ts memberships': SETUP(),
  'server/features/accounts/setup/setup-queries.ts workspaces': SETUP(),
  'server/features/accounts/setup/setup-queries.ts workspace_members': SETUP(),
}

function SETUP() {
  return 'one statement creates the first owner with the organization and workspace, so that two setups cannot both succeed'
}
