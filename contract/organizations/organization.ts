import { z } from 'zod'
import { Email, PersonName, ROLES } from '../accounts/accounts.ts'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, TimestampInput, text } from '../fields.ts'

const SETTINGS = 'Access to the organization settings'
const MEMBERS = 'Managing members'
const Role = z.enum(ROLES)
const byUser = z.object({ userId: Id })

export const Organization = z.object({
  id: Id,
  name: z.string(),
  memberCount: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const OrganizationMember = z.object({
  id: Id.describe('User id'),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  role: Role,
  lastSeenAt: Timestamp.nullable().describe('Last use of an active session in this organization'),
  joinedAt: Timestamp,
})

export const Invite = z.object({
  id: Id,
  url: z
    .string()
    .nullable()
    .describe(
      'Invitation link to pass on, if it was just created and the server cannot send email; otherwise null',
    ),
  email: z.string(),
  role: z.enum(['admin', 'member']),
  invitedBy: z.object({ id: Id, name: z.string() }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})

export const AuditRecord = z.object({
  id: Id,
  actor: z.object({ id: Id, name: z.string() }).nullable(),
  via: z.enum(['session', 'key', 'run', 'app', 'system']),
  action: z.string().meta({ examples: ['member.role-changed'] }),
  target: z.string().nullable().describe('Id of the target record'),
  address: z
    .string()
    .nullable()
    .meta({ examples: ['203.0.113.7'] }),
  details: z.record(z.string(), z.unknown()).meta({ examples: [{ from: 'member', to: 'admin' }] }),
  link: z
    .string()
    .nullable()
    .describe('Dashboard page that shows the target; null if it no longer exists or you cannot see it')
    .meta({ examples: ['/webhooks/01890000-0000-7000-8000-000000000000'] }),
  createdAt: Timestamp,
})

export const AUDIT_EXPORT_MAX = 100_000

const auditFilters = {
  action: text(1, 60).optional(),
  userId: Id.optional(),
  search: text(1, 200)
    .optional()
    .describe(
      'Words from the action, the actor’s name or email address, or the target’s name or id; word prefixes match',
    ),
  from: TimestampInput.optional().describe('Entries at or after this time'),
  to: TimestampInput.optional().describe('Entries before this time'),
}

export const organization = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/org',
    summary: 'Get the organization',
    access: member(),
    output: Organization,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/org',
    summary: 'Rename the organization',
    access: steppedUp(SETTINGS, { role: 'admin' }),
    body: z.object({ name: PersonName }),
    output: Organization,
    versioned: true,
  }),
  members: endpoint({
    method: 'GET',
    path: '/api/v1/org/members',
    summary: 'List members',
    description:
      '`search` finds parts of names and email addresses. In a large organization, a search page may have fewer items than `limit`: continue until `nextCursor` is null.',
    access: member(),
    query: z.object({ ...cursorQuery, search: text(1, 200).optional() }),
    output: cursorPage(OrganizationMember),
    tool: 'read',
    standby: true,
  }),
  changeRole: endpoint({
    method: 'PATCH',
    path: '/api/v1/org/members/:userId',
    summary: 'Change a member’s role',
    description: 'Only owners can add or remove owners. Returns CONFLICT for the last owner.',
    access: steppedUp(MEMBERS, { role: 'admin' }),
    params: byUser,
    body: z.object({ role: Role }),
    output: OrganizationMember,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/v1/org/members/:userId',
    summary: 'Remove a member',
    description:
      'Immediately ends the member’s sessions and API keys in this organization. Only owners can remove owners. The last owner cannot be removed.',
    access: steppedUp(MEMBERS, { role: 'admin' }),
    params: byUser,
    failures: ['CONFLICT'],
    output: z.object({ removed: z.literal(true) }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/v1/org/members/:userId/password-reset',
    summary: 'Create a password reset link for a member',
    description:
      'For servers that cannot send email. The link is shown once, works once within 24 hours, and ends the member’s sessions when it is used. Returns FORBIDDEN if the server can send email, for owners unless you are an owner, and for accounts that are operators or belong to another organization unless you are an operator.',
    access: steppedUp(MEMBERS, { role: 'admin' }),
    params: byUser,
    output: z.object({ url: z.string(), expiresAt: Timestamp }),
    status: 201,
    limit: { name: 'member-password-reset', by: 'caller', capacity: 10, perSeconds: 3600 },
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/v1/org/leave',
    summary: 'Leave the organization',
    description: 'Returns CONFLICT for the last owner, who must transfer ownership first.',
    access: steppedUp('Leaving an organization'),
    output: z.object({ left: z.literal(true) }),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/v1/org/transfer',
    summary: 'Transfer ownership to another member',
    description: 'The member becomes an owner, and you become an admin.',
    access: steppedUp('Transferring ownership', { role: 'owner' }),
    body: byUser,
    output: z.object({ ownerId: Id }),
  }),
  invites: endpoint({
    method: 'GET',
    path: '/api/v1/org/invites',
    summary: 'List pending invitations',
    access: browser(MEMBERS, { role: 'admin' }),
    query: z.object(cursorQuery),
    output: cursorPage(Invite),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/v1/org/invites',
    summary: 'Invite a member by email',
    description:
      'Sends a link, or returns it if the server cannot send email. An account created with a returned link has an unverified email address. The link can be used once and expires after seven days. Inviting an email address again replaces its pending invitation.',
    access: steppedUp(MEMBERS, { role: 'admin' }),
    body: z.object({ email: Email, role: z.enum(['admin', 'member']).default('member') }),
    output: Invite,
    status: 201,
    idempotent: true,
    limit: { name: 'org-invite', by: 'caller', capacity: 30, perSeconds: 3600 },
  }),
  revokeInvite: endpoint({
    method: 'DELETE',
    path: '/api/v1/org/invites/:id',
    summary: 'Revoke an invitation',
    access: steppedUp(MEMBERS, { role: 'admin' }),
    params: z.object({ id: Id }),
    output: z.object({ revoked: z.literal(true) }),
  }),
  audit: endpoint({
    method: 'GET',
    path: '/api/v1/org/audit',
    summary: 'List audit entries',
    description: 'Newest first.',
    access: member({ role: 'admin' }),
    query: z.object({ ...auditFilters, ...cursorQuery }),
    output: cursorPage(AuditRecord),
    standby: true,
  }),
  exportAudit: endpoint({
    method: 'GET',
    path: '/api/v1/org/audit/export',
    summary: 'Export audit entries',
    description: `Newest first, at most ${AUDIT_EXPORT_MAX.toLocaleString('en-US')} entries: narrow the range to export the rest. JSON has the same fields as the list, without \`link\`. The export itself is recorded as an audit entry.`,
    access: member({ role: 'admin' }),
    query: z.object({ ...auditFilters, format: z.enum(['csv', 'json']).default('csv') }),
    output: z.null(),
    bytes: 'always',
    limit: { name: 'audit-export', by: 'caller', capacity: 20, perSeconds: 3600 },
  }),
}
