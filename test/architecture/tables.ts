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
  memberships: 'server/features/membership',
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
  tickets: 'server/one-time-tokens',
  users: 'server/features/accounts',
  webhook_accounts: 'server/features/webhooks',
  webhook_seen: 'server/features/webhooks',
  webhooks: 'server/features/webhooks',
  workspace_members: 'server/features/workspaces',
  workspaces: 'server/features/workspaces',
}

/** Writes from another folder, each with its reason. */
export const WRITERS: { file: string; tables: string[]; reason: string }[] = [
  {
    file: 'server/features/accounts/setup/setup-queries.ts',
    tables: ['organizations', 'memberships', 'workspaces', 'workspace_members'],
    reason:
      'one statement creates the first owner with the organization, so that only one of two setups succeeds',
  },
  {
    file: 'server/features/accounts/email/claim-email-queries.ts',
    tables: ['api_keys', 'device_logins'],
    reason:
      'one statement removes every credential of an account whose email address another user has verified',
  },
  {
    file: 'server/features/membership/queries.ts',
    tables: ['sessions'],
    reason: 'a member who loses a workspace moves to a visible one, with the sessions that were active in it',
  },
  {
    file: 'server/features/organizations/member-queries.ts',
    tables: ['memberships', 'workspace_members'],
    reason: 'joining and role changes lock the organization and write the membership in one statement',
  },
  {
    file: 'server/features/workspaces/queries.ts',
    tables: ['memberships'],
    reason: 'the default workspace of a member is a column of the membership',
  },
  {
    file: 'server/features/projects/queries.ts',
    tables: ['project_shares', 'project_invites'],
    reason: 'deleting a project or making it private revokes its links in the same transaction',
  },
  {
    file: 'server/features/canvas/write/write-queries.ts',
    tables: ['projects'],
    reason: 'the sequence number and size of a canvas are columns of the project that every write locks',
  },
  {
    file: 'server/features/runs/queries.ts',
    tables: ['projects'],
    reason: 'the cost of a run is added to the spend of its project in one statement',
  },
  {
    file: 'server/events/publish.ts',
    tables: ['deliveries'],
    reason: 'one statement writes an event with a delivery for each webhook that matches it',
  },
  {
    file: 'server/inbound/store-event.ts',
    tables: ['events'],
    reason: 'one statement deduplicates and stores a received event',
  },
  ...[
    'deliver/delivery-queries.ts',
    'deliver/pending-deliveries.ts',
    'send-test-queries.ts',
    'retention.ts',
  ].map((file) => ({
    file: `server/features/webhooks/${file}`,
    tables: ['events'],
    reason: 'the status of an event follows its deliveries, in one statement',
  })),
  {
    file: 'server/features/operations/retention.ts',
    tables: ['idempotent_answers', 'rate_limits', 'mails', 'setup_links', 'invites'],
    reason: 'the retention job deletes expired rows of every table',
  },
]
