import type { AuditAction } from '../../../../contract/audit-actions.ts'
import { t } from '../../../../contract/text.ts'
import { formatCost } from '../../../components/amounts.ts'
import type { AuditRecord } from './audit-queries.ts'

/** Names a member or workspace, if it still exists. */
export type NameOf = (id: string | null) => string | undefined

/** A sentence without its subject, the actor's name. */
type Describe = (record: AuditRecord, nameOf: NameOf) => string

const DESCRIPTIONS: Record<AuditAction, Describe> = {
  setup: () => t`set up the server`,
  'sign-in': (record) => t`signed in${withProof(record)}`,
  'sign-out': () => t`signed out`,
  'sign-up': () => t`signed up`,
  'step-up': (record) => t`confirmed their identity${withProof(record)}`,
  'password.changed': () => t`changed their password`,
  'email.verified': () => t`verified their email address`,
  'email.change-requested': ({ details }) =>
    t`asked to change their email address${optional(t` to `, details.to)}`,
  'email.changed': (record) => t`changed their email address${fromTo(record)}`,
  'totp.enabled': () => t`added an authenticator app`,
  'totp.removed': () => t`removed their authenticator app`,
  'recovery-codes.renewed': () => t`replaced their recovery codes`,
  'passkey.added': (record) => t`added ${nounPhrase(t`a passkey`, record, t`the passkey`)}`,
  'passkey.removed': (record) => t`removed ${nounPhrase(t`a passkey`, record, t`the passkey`)}`,
  'identity.linked': ({ details }) => t`linked an account${optional(t` of `, details.provider)}`,
  'identity.unlinked': ({ details }) => t`unlinked an account${optional(t` of `, details.provider)}`,
  'account.reclaimed': () => t`reclaimed their account by verifying its email address`,
  'session.ended': ({ details }) =>
    optional(t`ended `, details.others, t` other sessions`) || t`ended a session`,
  'api-key.created': (record) => t`created ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'api-key.updated': (record) => t`updated ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'api-key.revoked': (record) => t`revoked ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'device.approved': ({ details }) => t`approved a device${deviceIn(details)}`,
  'device.denied': ({ details }) => t`denied a device${deviceIn(details)}`,
  'app.connected': (record) =>
    t`connected ${nounPhrase(t`the app`, record)}${hostIn(record)}${optional(' (', record.details.access, ')')}`,
  'app.denied': (record) => t`declined to connect ${nounPhrase(t`the app`, record)}${hostIn(record)}`,
  'app.disconnected': (record) =>
    t`disconnected ${nounPhrase(t`the app`, record)}${hostIn(record)}${optional(': ', record.details.why)}`,
  'agent-session.deleted': () => t`deleted a session with an agent`,
  'run.undone': ({ details }) => t`undid a run${optional(t`, items: `, details.items)}`,
  'agent-session.participant-added': ({ details }) =>
    t`added ${text(details.name) ?? t`a participant`} to a session with an agent`,
  'agent-session.participant-removed': ({ details }) =>
    t`removed ${text(details.name) ?? t`a participant`} from a session with an agent`,
  'approval.decided': ({ details }) =>
    t`decided on an approval${optional(t` of `, details.tool)}${optional(': ', details.decision)}`,
  'approval-grant.revoked': ({ details }) =>
    t`revoked “always allow” for a tool${optional(': ', details.tool)}`,
  'agent.created': (record) => t`created ${nounPhrase(t`an agent`, record, t`the agent`)}`,
  'agent.updated': (record) =>
    t`changed ${nounPhrase(t`an agent`, record, t`the agent`)}${optional(' (', record.details.fields, ')')}`,
  'comment.deleted': ({ details }) => t`deleted a comment${optional(t` of `, details.author)}`,
  'schedule.created': (record) => t`created ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'schedule.updated': (record) => t`changed ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'schedule.deleted': (record) => t`deleted ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'schedule.paused': (record) => t`paused ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'agent.archived': (record) => t`archived ${nounPhrase(t`an agent`, record, t`the agent`)}`,
  'agent.unarchived': (record) => t`unarchived ${nounPhrase(t`an agent`, record, t`the agent`)}`,
  'routing-rule.created': (record) =>
    t`created ${nounPhrase(t`a routing rule`, record, t`the routing rule`)}`,
  'routing-rule.updated': (record) =>
    t`changed ${nounPhrase(t`a routing rule`, record, t`the routing rule`)}`,
  'routing-rule.deleted': (record) =>
    t`deleted ${nounPhrase(t`a routing rule`, record, t`the routing rule`)}`,
  'template.created': (record) => t`created ${nounPhrase(t`a template`, record, t`the template`)}`,
  'template.updated': (record) => t`changed ${nounPhrase(t`a template`, record, t`the template`)}`,
  'template.deleted': (record) => t`deleted ${nounPhrase(t`a template`, record, t`the template`)}`,
  'skill.created': (record) => t`created ${nounPhrase(t`a skill`, record, t`the skill`)}`,
  'skill.updated': (record) => t`changed ${nounPhrase(t`a skill`, record, t`the skill`)}`,
  'skill.deleted': (record) => t`deleted ${nounPhrase(t`a skill`, record, t`the skill`)}`,
  'memory.accepted': (record) =>
    t`accepted ${nounPhrase(t`a proposed memory`, record, t`the proposed memory`)}`,
  'memory.rejected': (record) =>
    t`rejected ${nounPhrase(t`a proposed memory`, record, t`the proposed memory`)}`,
  'memory.reopened': (record) =>
    t`undid the decision on ${nounPhrase(t`a proposed memory`, record, t`the proposed memory`)}`,
  'memory.merged': (record) => t`merged ${nounPhrase(t`a memory`, record, t`the memory`)} into another`,
  'memory.imported': ({ details }) => t`imported ${text(details.name) ?? t`a project’s memories`}`,
  'memory.deleted': (record) => t`deleted ${nounPhrase(t`a memory`, record, t`the memory`)}`,
  'file.shared': (record) => t`created a public link to ${nounPhrase(t`a file`, record, t`the file`)}`,
  'file.unshared': (record) => t`revoked a public link to ${nounPhrase(t`a file`, record, t`the file`)}`,
  'public-links.revoked': ({ details }, nameOf) =>
    t`revoked ${String(details.links)} public links created by ${nameOf(text(details.createdBy) ?? null) ?? t`someone`}`,
  'public-links.updated': (record) =>
    t`changed the public link setting${optional(t` to `, record.details.allowedFor)}`,
  'file.version-deleted': (record) =>
    t`deleted version ${text(record.details.version) ?? ''} of ${nounPhrase(t`a file`, record, t`the file`)}`,
  'files.retention-changed': ({ details }) =>
    t`changed file retention (trash: ${daysOf(details.trashDays)}, versions: ${daysOf(details.versionDays)})`,
  'file.purged': (record) => t`permanently deleted ${nounPhrase(t`a file`, record, t`the file`)}`,
  'connector-endpoint.created': (record) => t`created ${nounPhrase(t`an endpoint`, record, t`the endpoint`)}`,
  'connector-endpoint.updated': (record) => t`changed ${nounPhrase(t`an endpoint`, record, t`the endpoint`)}`,
  'connector-endpoint.deleted': (record) => t`deleted ${nounPhrase(t`an endpoint`, record, t`the endpoint`)}`,
  'connector-endpoint.paused': (record) => t`paused ${nounPhrase(t`an endpoint`, record, t`the endpoint`)}`,
  'phone-number.imported': (record) => t`imported ${nounPhrase(t`the phone number`, record)}`,
  'phone-number.updated': (record) => t`changed ${nounPhrase(t`the phone number`, record)}`,
  'phone-number.repaired': (record) => t`set the URLs for ${nounPhrase(t`the phone number`, record)}`,
  'phone-number.released': (record) => t`released ${nounPhrase(t`the phone number`, record)}`,
  'connector-reply.decided': ({ details }) =>
    t`${details.decision === 'approved' ? t`approved` : t`rejected`} a reply to a provider`,
  'sms.opt-out-added': () => t`stopped text messages to a recipient`,
  'sms.opt-out-removed': () => t`allowed text messages to a recipient again`,
  'webhook.created': (record) => t`created ${nounPhrase(t`a webhook`, record, t`the webhook`)}`,
  'webhook.updated': (record) => t`updated ${nounPhrase(t`a webhook`, record, t`the webhook`)}`,
  'webhook.rotated': (record) =>
    t`rotated the secret for ${nounPhrase(t`a webhook`, record, t`the webhook`)}`,
  'webhook.deleted': (record) => t`deleted ${nounPhrase(t`a webhook`, record, t`the webhook`)}`,
  'webhook.paused': (record) =>
    t`paused ${nounPhrase(t`a webhook`, record, t`the webhook`)} because its endpoint fell behind`,
  'webhook.disabled': (record) =>
    t`disabled ${nounPhrase(t`a webhook`, record, t`the webhook`)} after repeated failures`,
  'webhook.replayed': (record) =>
    t`replayed ${String(record.details.events)} ${record.details.events === '1' ? t`event` : t`events`} to ${nounPhrase(t`a webhook`, record, t`the webhook`)}`,
  'mcp-server.created': (record) => t`added ${nounPhrase(t`the MCP server`, record)}`,
  'mcp-server.updated': (record) => t`updated ${nounPhrase(t`the MCP server`, record)}`,
  'mcp-server.deleted': (record) => t`deleted ${nounPhrase(t`the MCP server`, record)}`,
  'mcp-server.tools-accepted': (record) =>
    t`accepted tools from ${nounPhrase(t`the MCP server`, record)}${optional(': ', record.details.tools)}`,
  'mcp-server.signed-in': (record) => t`signed in to ${nounPhrase(t`the MCP server`, record)}`,
  'mcp-server.signed-out': (record) => t`signed out of ${nounPhrase(t`the MCP server`, record)}`,
  'connector.created': (record) => t`added ${nounPhrase(t`the connector`, record)}`,
  'connector.updated': (record) => t`changed ${nounPhrase(t`the connector`, record)}`,
  'connector.deleted': (record) => t`deleted ${nounPhrase(t`the connector`, record)}`,
  'connector.client-set': (record) => t`set the OAuth client for ${nounPhrase(t`the connector`, record)}`,
  'connector.client-removed': (record) =>
    t`removed the OAuth client for ${nounPhrase(t`the connector`, record)}`,
  'connection.established': (record) => t`established ${nounPhrase(t`the connection to`, record)}`,
  'connection.shared': (record) =>
    t`changed sharing for ${nounPhrase(t`the connection to`, record)}${optional(': ', record.details.shared)}`,
  'connection.revoked': (record) => t`revoked ${nounPhrase(t`the connection to`, record)}`,
  'guardrail.created': (record) => t`created ${nounPhrase(t`the guardrail`, record)}`,
  'guardrail.updated': (record) => t`updated ${nounPhrase(t`the guardrail`, record)}`,
  'guardrail.deleted': (record) => t`deleted ${nounPhrase(t`the guardrail`, record)}`,
  'model-provider.created': (record) =>
    t`added ${nounPhrase(t`a model provider`, record, t`the model provider`)}`,
  'model-provider.updated': (record) =>
    t`updated ${nounPhrase(t`a model provider`, record, t`the model provider`)}`,
  'model-provider.deleted': (record) =>
    t`deleted ${nounPhrase(t`a model provider`, record, t`the model provider`)}`,
  'model-settings.set': (record) =>
    t`set model prices${optional(': ', record.details.models)}${optional(' (', record.details.price, ')')}`,
  'project.shared': (record) =>
    `${SHARING[text(record.details.how) ?? ''] ?? t`changed sharing for`} ${nounPhrase(t`a project`, record, t`the project`)}${optional(' (', record.details.access, ')')}`,
  'project.unshared': (record) =>
    t`revoked the share link for ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.invited': (record) =>
    `${text(record.details.email) ? t`invited ${text(record.details.email)!} to` : t`created an invite link for`} ${nounPhrase(t`a project`, record, t`the project`)}${optional(t` as `, record.details.role)}`,
  'project.uninvited': (record) =>
    t`revoked the invitation${optional(t` of `, record.details.email)} to ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.deleted': (record) => t`deleted ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.history-pruned': (record) =>
    t`pruned canvas history for ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.purged': (record) => t`permanently deleted ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.undeleted': (record) => t`restored ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.visibility-changed': (record) =>
    t`made ${nounPhrase(t`a project`, record, t`the project`)} ${record.details.visibility === 'private' ? t`private` : t`visible to its team`}`,
  'project.workspace-added': (record) =>
    t`added ${nounPhrase(t`a project`, record, t`the project`)} to ${text(record.details.workspace) ?? t`a workspace`}`,
  'project.workspace-removed': (record) =>
    t`removed ${nounPhrase(t`a project`, record, t`the project`)} from ${text(record.details.workspace) ?? t`a workspace`}`,
  'project.moved': (record) =>
    t`moved ${nounPhrase(t`a project`, record, t`the project`)} to ${text(record.details.workspace) ?? t`another workspace`}`,
  'audit.exported': ({ details }) => t`exported the audit log${optional(t` as `, details.format)}`,
  'events.exported': ({ details }) => t`exported the event log${optional(t` as `, details.format)}`,
  'organization.updated': (record) =>
    nameIn(record) ? t`renamed the organization to ${nameIn(record)}` : t`updated the organization`,
  'organization.settings-changed': ({ details }) =>
    t`changed the agent policy${optional(': ', details.settings)}`,
  'organization.suspended': ({ details }) => t`suspended the organization${optional(': ', details.reason)}`,
  'organization.resumed': () => t`resumed the organization`,
  'organization.export-requested': () => t`requested an organization export`,
  'organization.export-downloaded': () => t`downloaded an organization export`,
  'organization.erasure-requested': ({ details }) =>
    t`asked to erase the organization${optional(t` after `, details.eraseAfter)}`,
  'organization.erasure-canceled': () => t`canceled the organization’s erasure`,
  'quota.changed': ({ details }) =>
    t`changed the quota${optional(' ', details.quota)} from ${String(details.from)} to ${String(details.to)}`,
  'budget.set': ({ details }) =>
    t`set the ${budgetOf(details)} to ${dollars(details.to)}${details.from === 'none' ? '' : t` (was ${dollars(details.from)})`}`,
  'budget.removed': ({ details }) => t`removed the ${budgetOf(details)} (${dollars(details.from)})`,
  'payment.created': ({ details }) =>
    t`made a machine payment of ${moneyOf(details)}${optional(': ', details.status)}`,
  'payment.decided': ({ details }) =>
    t`${details.decision === 'approve' ? t`approved` : t`denied`} a machine payment of ${moneyOf(details)}`,
  'payment.refunded': ({ details }) => t`requested a refund for a machine payment (${moneyOf(details)})`,
  'mandate.created': ({ details }) =>
    t`created a mandate for ${holderOf(details)} (${String(details.perPayment)} ${String(details.currency)} per payment)`,
  'mandate.revoked': ({ details }) => t`revoked a mandate for ${holderOf(details)}`,
  'payment-provider.set': ({ details }) =>
    t`set Stripe as the payment provider${optional(t` in `, details.mode, t` mode`)}`,
  'payment-provider.removed': () => t`removed the payment provider`,
  'voice-agent.created': ({ details }) => t`added a voice agent${optional(t` of `, details.provider)}`,
  'voice-agent.rotated': () => t`replaced a voice agent’s secret`,
  'voice-agent.removed': () => t`removed a voice agent`,
  'ownership.transferred': (record, nameOf) => t`transferred ownership to ${memberOf(record, nameOf)}`,
  'member.joined': ({ details }) => t`joined the organization${optional(t` as `, details.role)}`,
  'member.left': () => t`left the organization`,
  'member.removed': (record, nameOf) => t`removed ${memberOf(record, nameOf)}`,
  'member.role-changed': (record, nameOf) => t`changed ${memberOf(record, nameOf)}’s role${fromTo(record)}`,
  'member.password-reset': ({ details }) =>
    t`created a password reset link for ${text(details.name) ?? t`someone`}`,
  'invite.sent': ({ details }) =>
    t`invited ${text(details.email) ?? t`someone`}${optional(t` as `, details.role)}`,
  'invite.revoked': ({ details }) => t`revoked the invitation${optional(t` of `, details.email)}`,
  'mcp.tool-called': ({ target, details }) =>
    t`${details.error ? t`couldn’t call` : t`called`} the tool ${text(details.action) ?? text(target) ?? ''} over MCP${optional(t` with `, details.client)}`,
  'workspace.created': (record, nameOf) => t`created the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.renamed': ({ details }) =>
    t`renamed the workspace ${text(details.from) ?? ''} to ${text(details.to) ?? t`another name`}`,
  'workspace.deleted': (record, nameOf) => t`deleted the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.member-added': (record, nameOf) =>
    t`added ${workspaceMember(record, nameOf)} to ${nameOf(record.target) ?? t`a workspace`}${optional(t` as `, record.details.role)}`,
  'workspace.member-removed': (record, nameOf) =>
    t`removed ${workspaceMember(record, nameOf)} from ${nameOf(record.target) ?? t`a workspace`}`,
}

const daysOf = (days: unknown) => (days === 'never' ? t`never deleted` : t`${String(days)} days`)

const hostIn = ({ details }: AuditRecord) => optional(t` of `, details.host)

const SHARING: Record<string, string> = {
  created: t`created a share link for`,
  changed: t`changed the share link for`,
  rotated: t`replaced the share link for`,
}

/** The server may be newer than this page, so unknown actions show their name. */
export const describeAction = (record: AuditRecord, nameOf: NameOf) =>
  Object.hasOwn(DESCRIPTIONS, record.action)
    ? DESCRIPTIONS[record.action as AuditAction](record, nameOf)
    : record.action

const PROOFS: Record<string, string> = {
  password: t`with a password`,
  'magic-link': t`with an emailed link`,
  oauth: t`through a provider`,
  passkey: t`with a passkey`,
  'password-reset': t`by setting a new password`,
  invite: t`by accepting an invitation`,
  'sign-up': t`by signing up`,
  totp: t`with a code`,
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
  nameOf(record.target) ?? recordedName(record) ?? t`a former member`

/** The name at the time: the member may have left since. */
const recordedName = ({ details }: AuditRecord) => {
  const [name, email] = [text(details.name), text(details.email)]
  return name && email ? `${name} (${email})` : (name ?? email)
}

const workspaceOf = (record: AuditRecord, nameOf: NameOf) =>
  text(record.details.name) ?? nameOf(record.target) ?? ''

const fromTo = ({ details }: AuditRecord) => optional(t` from `, details.from) + optional(t` to `, details.to)

/** The target is the workspace; the details hold the member. */
const workspaceMember = (record: AuditRecord, nameOf: NameOf) =>
  nameOf(text(record.details.userId) ?? null) ?? recordedName(record) ?? t`a former member`

const deviceIn = (details: AuditRecord['details']) =>
  optional(' (', text(details.hostname) ?? details.from, ')')

const optional = (before: string, value: unknown, after = '') =>
  text(value) ? before + text(value) + after : ''

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

const moneyOf = ({ amount, currency }: AuditRecord['details']) =>
  `${String(amount).replace(/(\.\d\d)0+$/, '$1')} ${String(currency)}`

const holderOf = ({ holder }: AuditRecord['details']) =>
  holder === 'key' ? t`an API key` : t`the ${String(holder)}`

const dollars = (amount: unknown) => formatCost({ amount: String(amount) })

const budgetOf = ({ scope, period }: AuditRecord['details']) =>
  t`budget for ${scope === 'org' ? t`the organization` : t`the ${String(scope)}`} per ${String(period)}`
