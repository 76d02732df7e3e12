import type { AuditAction } from '../../../../contract/audit-actions.ts'
import { formatCost } from '../../../components/amounts.ts'
import type { AuditRecord } from './audit-queries.ts'

/** The name of the member or workspace with this id, if it still exists. */
export type NameOf = (id: string | null) => string | undefined

/** The sentence without its subject, the name of the actor. */
type Describe = (record: AuditRecord, nameOf: NameOf) => string

const DESCRIPTIONS: Record<AuditAction, Describe> = {
  setup: () => 'set up the server',
  'sign-in': (record) => `signed in${withProof(record)}`,
  'sign-out': () => 'signed out',
  'sign-up': () => 'signed up',
  'step-up': (record) => `confirmed their identity${withProof(record)}`,
  'password.changed': () => 'changed their password',
  'email.verified': () => 'verified their email address',
  'email.change-requested': ({ details }) =>
    `requested a change of their email address${optional(' to ', details.to)}`,
  'email.changed': (record) => `changed their email address${fromTo(record)}`,
  'totp.enabled': () => 'added an authenticator app',
  'totp.removed': () => 'removed their authenticator app',
  'recovery-codes.renewed': () => 'replaced their recovery codes',
  'passkey.added': (record) => `added ${nounPhrase('a passkey', record, 'the passkey')}`,
  'passkey.removed': (record) => `removed ${nounPhrase('a passkey', record, 'the passkey')}`,
  'identity.linked': ({ details }) => `linked an account${optional(' of ', details.provider)}`,
  'identity.unlinked': ({ details }) => `unlinked an account${optional(' of ', details.provider)}`,
  'account.reclaimed': () => 'reclaimed their account by verifying its email address',
  'session.ended': ({ details }) =>
    optional('ended ', details.others, ' other sessions') || 'ended a session',
  'api-key.created': (record) => `created ${nounPhrase('an API key', record, 'the API key')}`,
  'api-key.updated': (record) => `updated ${nounPhrase('an API key', record, 'the API key')}`,
  'api-key.revoked': (record) => `revoked ${nounPhrase('an API key', record, 'the API key')}`,
  'device.approved': ({ details }) => `approved a device${deviceIn(details)}`,
  'device.denied': ({ details }) => `denied a device${deviceIn(details)}`,
  'app.connected': (record) =>
    `connected ${nounPhrase('the app', record)}${hostIn(record)}${optional(' (', record.details.access, ')')}`,
  'app.denied': (record) => `did not connect ${nounPhrase('the app', record)}${hostIn(record)}`,
  'app.disconnected': (record) =>
    `disconnected ${nounPhrase('the app', record)}${hostIn(record)}${optional(': ', record.details.why)}`,
  'agent-session.deleted': () => 'deleted a session with an agent',
  'run.undone': ({ details }) => `undid a run${optional(', items: ', details.items)}`,
  'agent-session.participant-added': ({ details }) =>
    `added ${text(details.name) ?? 'a participant'} to a session with an agent`,
  'agent-session.participant-removed': ({ details }) =>
    `removed ${text(details.name) ?? 'a participant'} from a session with an agent`,
  'approval.decided': ({ details }) =>
    `decided an approval${optional(' of ', details.tool)}${optional(': ', details.decision)}`,
  'approval-grant.revoked': ({ details }) => `stopped always allowing a tool${optional(': ', details.tool)}`,
  'agent.created': (record) => `created ${nounPhrase('an agent', record, 'the agent')}`,
  'agent.updated': (record) =>
    `changed ${nounPhrase('an agent', record, 'the agent')}${optional(' (', record.details.fields, ')')}`,
  'comment.deleted': ({ details }) => `deleted a comment${optional(' of ', details.author)}`,
  'schedule.created': (record) => `created ${nounPhrase('a schedule', record, 'the schedule')}`,
  'schedule.updated': (record) => `changed ${nounPhrase('a schedule', record, 'the schedule')}`,
  'schedule.deleted': (record) => `deleted ${nounPhrase('a schedule', record, 'the schedule')}`,
  'schedule.paused': (record) => `paused ${nounPhrase('a schedule', record, 'the schedule')}`,
  'agent.archived': (record) => `archived ${nounPhrase('an agent', record, 'the agent')}`,
  'agent.unarchived': (record) => `unarchived ${nounPhrase('an agent', record, 'the agent')}`,
  'routing-rule.created': (record) => `created ${nounPhrase('a routing rule', record, 'the routing rule')}`,
  'routing-rule.updated': (record) => `changed ${nounPhrase('a routing rule', record, 'the routing rule')}`,
  'routing-rule.deleted': (record) => `deleted ${nounPhrase('a routing rule', record, 'the routing rule')}`,
  'template.created': (record) => `created ${nounPhrase('a template', record, 'the template')}`,
  'template.updated': (record) => `changed ${nounPhrase('a template', record, 'the template')}`,
  'template.deleted': (record) => `deleted ${nounPhrase('a template', record, 'the template')}`,
  'skill.created': (record) => `created ${nounPhrase('a skill', record, 'the skill')}`,
  'skill.updated': (record) => `changed ${nounPhrase('a skill', record, 'the skill')}`,
  'skill.deleted': (record) => `deleted ${nounPhrase('a skill', record, 'the skill')}`,
  'memory.accepted': (record) => `accepted ${nounPhrase('a proposed memory', record, 'the proposed memory')}`,
  'memory.rejected': (record) => `rejected ${nounPhrase('a proposed memory', record, 'the proposed memory')}`,
  'memory.reopened': (record) =>
    `undid the decision about ${nounPhrase('a proposed memory', record, 'the proposed memory')}`,
  'memory.merged': (record) => `merged ${nounPhrase('a memory', record, 'the memory')} into another`,
  'memory.imported': ({ details }) => `imported ${text(details.name) ?? 'memories of a project'}`,
  'memory.deleted': (record) => `deleted ${nounPhrase('a memory', record, 'the memory')}`,
  'file.shared': (record) => `created a public link of ${nounPhrase('a file', record, 'the file')}`,
  'file.unshared': (record) => `revoked a public link of ${nounPhrase('a file', record, 'the file')}`,
  'public-links.revoked': ({ details }, nameOf) =>
    `revoked ${String(details.links)} public links of ${nameOf(text(details.createdBy) ?? null) ?? 'a person'}`,
  'public-links.updated': (record) =>
    `changed who may create public links${optional(' to ', record.details.allowedFor)}`,
  'file.version-deleted': (record) =>
    `deleted version ${text(record.details.version) ?? ''} of ${nounPhrase('a file', record, 'the file')}`,
  'files.retention-changed': ({ details }) =>
    `changed the retention of files (trash: ${daysOf(details.trashDays)}, versions: ${daysOf(details.versionDays)})`,
  'file.purged': (record) => `permanently deleted ${nounPhrase('a file', record, 'the file')}`,
  'connector-endpoint.created': (record) => `created ${nounPhrase('an endpoint', record, 'the endpoint')}`,
  'connector-endpoint.updated': (record) => `changed ${nounPhrase('an endpoint', record, 'the endpoint')}`,
  'connector-endpoint.deleted': (record) => `deleted ${nounPhrase('an endpoint', record, 'the endpoint')}`,
  'connector-endpoint.paused': (record) => `paused ${nounPhrase('an endpoint', record, 'the endpoint')}`,
  'phone-number.imported': (record) => `imported ${nounPhrase('the phone number', record)}`,
  'phone-number.updated': (record) => `changed ${nounPhrase('the phone number', record)}`,
  'phone-number.repaired': (record) => `set the URLs of ${nounPhrase('the phone number', record)}`,
  'phone-number.released': (record) => `released ${nounPhrase('the phone number', record)}`,
  'connector-reply.decided': ({ details }) =>
    `${details.decision === 'approved' ? 'approved' : 'rejected'} a reply to a provider`,
  'sms.opt-out-added': () => 'stopped text messages to a recipient',
  'sms.opt-out-removed': () => 'allowed text messages to a recipient again',
  'webhook.created': (record) => `created ${nounPhrase('a webhook', record, 'the webhook')}`,
  'webhook.updated': (record) => `updated ${nounPhrase('a webhook', record, 'the webhook')}`,
  'webhook.rotated': (record) => `rotated the secret of ${nounPhrase('a webhook', record, 'the webhook')}`,
  'webhook.deleted': (record) => `deleted ${nounPhrase('a webhook', record, 'the webhook')}`,
  'webhook.paused': (record) =>
    `paused ${nounPhrase('a webhook', record, 'the webhook')} because its endpoint fell behind`,
  'webhook.disabled': (record) =>
    `disabled ${nounPhrase('a webhook', record, 'the webhook')} after repeated failures`,
  'webhook.replayed': (record) =>
    `replayed ${String(record.details.events)} ${record.details.events === '1' ? 'event' : 'events'} to ${nounPhrase('a webhook', record, 'the webhook')}`,
  'mcp-server.created': (record) => `added ${nounPhrase('the MCP server', record)}`,
  'mcp-server.updated': (record) => `updated ${nounPhrase('the MCP server', record)}`,
  'mcp-server.deleted': (record) => `deleted ${nounPhrase('the MCP server', record)}`,
  'mcp-server.tools-accepted': (record) =>
    `accepted tools of ${nounPhrase('the MCP server', record)}${optional(': ', record.details.tools)}`,
  'mcp-server.signed-in': (record) => `signed in to ${nounPhrase('the MCP server', record)}`,
  'mcp-server.signed-out': (record) => `signed out of ${nounPhrase('the MCP server', record)}`,
  'connector.created': (record) => `added ${nounPhrase('the connector', record)}`,
  'connector.updated': (record) => `changed ${nounPhrase('the connector', record)}`,
  'connector.deleted': (record) => `deleted ${nounPhrase('the connector', record)}`,
  'connector.client-set': (record) => `set the OAuth client of ${nounPhrase('the connector', record)}`,
  'connector.client-removed': (record) =>
    `removed the OAuth client of ${nounPhrase('the connector', record)}`,
  'connection.established': (record) => `established ${nounPhrase('the connection to', record)}`,
  'connection.shared': (record) =>
    `changed the sharing of ${nounPhrase('the connection to', record)}${optional(': ', record.details.shared)}`,
  'connection.revoked': (record) => `revoked ${nounPhrase('the connection to', record)}`,
  'guardrail.created': (record) => `created ${nounPhrase('the guardrail', record)}`,
  'guardrail.updated': (record) => `updated ${nounPhrase('the guardrail', record)}`,
  'guardrail.deleted': (record) => `deleted ${nounPhrase('the guardrail', record)}`,
  'model-provider.created': (record) =>
    `added ${nounPhrase('a model provider', record, 'the model provider')}`,
  'model-provider.updated': (record) =>
    `updated ${nounPhrase('a model provider', record, 'the model provider')}`,
  'model-provider.deleted': (record) =>
    `deleted ${nounPhrase('a model provider', record, 'the model provider')}`,
  'model-settings.set': (record) =>
    `set model prices${optional(': ', record.details.models)}${optional(' (', record.details.price, ')')}`,
  'project.shared': (record) =>
    `${SHARING[text(record.details.how) ?? ''] ?? 'changed the sharing of'} ${nounPhrase('a project', record, 'the project')}${optional(' (', record.details.access, ')')}`,
  'project.unshared': (record) =>
    `revoked the share link of ${nounPhrase('a project', record, 'the project')}`,
  'project.invited': (record) =>
    `${text(record.details.email) ? `invited ${text(record.details.email)} to` : 'created an invite link for'} ${nounPhrase('a project', record, 'the project')}${optional(' as ', record.details.role)}`,
  'project.uninvited': (record) =>
    `revoked the invitation${optional(' of ', record.details.email)} to ${nounPhrase('a project', record, 'the project')}`,
  'project.deleted': (record) => `deleted ${nounPhrase('a project', record, 'the project')}`,
  'project.history-pruned': (record) =>
    `pruned the canvas history of ${nounPhrase('a project', record, 'the project')}`,
  'project.purged': (record) => `permanently deleted ${nounPhrase('a project', record, 'the project')}`,
  'project.undeleted': (record) => `restored ${nounPhrase('a project', record, 'the project')}`,
  'project.visibility-changed': (record) =>
    `made ${nounPhrase('a project', record, 'the project')} ${record.details.visibility === 'private' ? 'private' : 'visible to its team'}`,
  'project.workspace-added': (record) =>
    `added ${nounPhrase('a project', record, 'the project')} to ${text(record.details.workspace) ?? 'a workspace'}`,
  'project.workspace-removed': (record) =>
    `removed ${nounPhrase('a project', record, 'the project')} from ${text(record.details.workspace) ?? 'a workspace'}`,
  'project.moved': (record) =>
    `moved ${nounPhrase('a project', record, 'the project')} to ${text(record.details.workspace) ?? 'another workspace'}`,
  'audit.exported': ({ details }) => `exported the audit log${optional(' as ', details.format)}`,
  'events.exported': ({ details }) => `exported the event log${optional(' as ', details.format)}`,
  'organization.updated': (record) =>
    nameIn(record) ? `renamed the organization to ${nameIn(record)}` : 'updated the organization',
  'organization.settings-changed': ({ details }) =>
    `changed the agent policy${optional(': ', details.settings)}`,
  'organization.suspended': ({ details }) => `suspended the organization${optional(': ', details.reason)}`,
  'organization.resumed': () => 'resumed the organization',
  'organization.export-requested': () => 'requested an export of the organization',
  'organization.export-downloaded': () => 'downloaded an export of the organization',
  'organization.erasure-requested': ({ details }) =>
    `requested the erasure of the organization${optional(' after ', details.eraseAfter)}`,
  'organization.erasure-canceled': () => 'canceled the erasure of the organization',
  'quota.changed': ({ details }) =>
    `changed the quota${optional(' ', details.quota)} from ${String(details.from)} to ${String(details.to)}`,
  'budget.set': ({ details }) =>
    `set the ${budgetOf(details)} to ${dollars(details.to)}${details.from === 'none' ? '' : ` (was ${dollars(details.from)})`}`,
  'budget.removed': ({ details }) => `removed the ${budgetOf(details)} of ${dollars(details.from)}`,
  'payment.created': ({ details }) =>
    `made a machine payment of ${moneyOf(details)}${optional(': ', details.status)}`,
  'payment.decided': ({ details }) =>
    `${details.decision === 'approve' ? 'approved' : 'denied'} a machine payment of ${moneyOf(details)}`,
  'payment.refunded': ({ details }) => `requested the refund of a machine payment of ${moneyOf(details)}`,
  'mandate.created': ({ details }) =>
    `created a mandate for ${holderOf(details)} of ${String(details.perPayment)} ${String(details.currency)} per payment`,
  'mandate.revoked': ({ details }) => `revoked a mandate for ${holderOf(details)}`,
  'payment-provider.set': ({ details }) =>
    `set Stripe as the payment provider${optional(' in ', details.mode, ' mode')}`,
  'payment-provider.removed': () => 'removed the payment provider',
  'voice-agent.created': ({ details }) => `added a voice agent${optional(' of ', details.provider)}`,
  'voice-agent.rotated': () => 'replaced the secret of a voice agent',
  'voice-agent.removed': () => 'removed a voice agent',
  'ownership.transferred': (record, nameOf) => `transferred ownership to ${memberOf(record, nameOf)}`,
  'member.joined': ({ details }) => `joined the organization${optional(' as ', details.role)}`,
  'member.left': () => 'left the organization',
  'member.removed': (record, nameOf) => `removed ${memberOf(record, nameOf)}`,
  'member.role-changed': (record, nameOf) =>
    `changed the role of ${memberOf(record, nameOf)}${fromTo(record)}`,
  'member.password-reset': ({ details }) =>
    `created a password reset link for ${text(details.name) ?? 'a person'}`,
  'invite.sent': ({ details }) =>
    `invited ${text(details.email) ?? 'a person'}${optional(' as ', details.role)}`,
  'invite.revoked': ({ details }) => `revoked the invitation${optional(' of ', details.email)}`,
  'mcp.tool-called': ({ target, details }) =>
    `${details.error ? 'could not call' : 'called'} the tool ${text(details.action) ?? text(target) ?? ''} over MCP${optional(' with ', details.client)}`,
  'workspace.created': (record, nameOf) => `created the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.renamed': ({ details }) =>
    `renamed the workspace ${text(details.from) ?? ''} to ${text(details.to) ?? 'another name'}`,
  'workspace.deleted': (record, nameOf) => `deleted the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.member-added': (record, nameOf) =>
    `added ${workspaceMember(record, nameOf)} to ${nameOf(record.target) ?? 'a workspace'}${optional(' as ', record.details.role)}`,
  'workspace.member-removed': (record, nameOf) =>
    `removed ${workspaceMember(record, nameOf)} from ${nameOf(record.target) ?? 'a workspace'}`,
}

const daysOf = (days: unknown) => (days === 'never' ? 'never deleted' : `${String(days)} days`)

const hostIn = ({ details }: AuditRecord) => optional(' of ', details.host)

const SHARING: Record<string, string> = {
  created: 'created a share link for',
  changed: 'changed the share link of',
  rotated: 'rotated the share link of',
}

/** The server may be newer than this page: an action without a description is shown by its name. */
export const describeAction = (record: AuditRecord, nameOf: NameOf) =>
  Object.hasOwn(DESCRIPTIONS, record.action)
    ? DESCRIPTIONS[record.action as AuditAction](record, nameOf)
    : record.action

const PROOFS: Record<string, string> = {
  password: 'with a password',
  'magic-link': 'with an emailed link',
  oauth: 'through a provider',
  passkey: 'with a passkey',
  'password-reset': 'by setting a new password',
  invite: 'by accepting an invitation',
  'sign-up': 'by signing up',
  totp: 'with a code',
}

function withProof({ details }: AuditRecord): string {
  const proof = text(details.factor) ?? text(details.method)
  return proof && PROOFS[proof] ? ` ${PROOFS[proof]}` : ''
}

/** `a webhook`, or with its name `the webhook Orders`. */
const nounPhrase = (noun: string, record: AuditRecord, nounOfName = noun) =>
  nameIn(record) ? `${nounOfName} ${nameIn(record)}` : noun

const nameIn = ({ details }: AuditRecord) => text(details.name) ?? ''

const memberOf = (record: AuditRecord, nameOf: NameOf) =>
  nameOf(record.target) ?? recordedName(record) ?? 'a former member'

/** The name at the time of the action: the person may have left the organization since. */
const recordedName = ({ details }: AuditRecord) => {
  const [name, email] = [text(details.name), text(details.email)]
  return name && email ? `${name} (${email})` : (name ?? email)
}

const workspaceOf = (record: AuditRecord, nameOf: NameOf) =>
  text(record.details.name) ?? nameOf(record.target) ?? ''

const fromTo = ({ details }: AuditRecord) => optional(' from ', details.from) + optional(' to ', details.to)

/** The target is the workspace; the details contain the member. */
const workspaceMember = (record: AuditRecord, nameOf: NameOf) =>
  nameOf(text(record.details.userId) ?? null) ?? recordedName(record) ?? 'a former member'

const deviceIn = (details: AuditRecord['details']) =>
  optional(' (', text(details.hostname) ?? details.from, ')')

/** The value with the text around it, or nothing if the record has no such value. */
const optional = (before: string, value: unknown, after = '') =>
  text(value) ? before + text(value) + after : ''

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

const moneyOf = ({ amount, currency }: AuditRecord['details']) =>
  `${String(amount).replace(/(\.\d\d)0+$/, '$1')} ${String(currency)}`

const holderOf = ({ holder }: AuditRecord['details']) =>
  holder === 'key' ? 'an API key' : `the ${String(holder)}`

const dollars = (amount: unknown) => formatCost({ amount: String(amount) })

const budgetOf = ({ scope, period }: AuditRecord['details']) =>
  `budget of ${scope === 'org' ? 'the organization' : `the ${String(scope)}`} per ${String(period)}`
