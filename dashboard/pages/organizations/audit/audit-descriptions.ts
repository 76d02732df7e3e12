import type { AuditAction } from '../../../../contract/audit-actions.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../../contract/billing/payment-options.ts'
import { QUOTAS, type QuotaName } from '../../../../contract/quotas.ts'
import { t } from '../../../../contract/text.ts'
import { formatCost, formatMoney } from '../../../components/amounts.ts'
import { PERIOD_LABELS } from '../../../components/budget-labels.ts'
import { formatDate } from '../../../components/dates.ts'
import { capitalize, labelInSentence } from '../../../state/label-in-sentence.ts'
import { PAYMENT_LABELS } from '../../billing/payments/payment-labels.ts'
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
    text(details.to)
      ? t`asked to change their email address to ${text(details.to)!}`
      : t`asked to change their email address`,
  'email.changed': ({ details: { from, to } }) =>
    text(from) && text(to)
      ? t`changed their email address from ${text(from)!} to ${text(to)!}`
      : t`changed their email address`,
  'totp.enabled': () => t`added an authenticator app`,
  'totp.removed': () => t`removed their authenticator app`,
  'recovery-codes.renewed': () => t`replaced their recovery codes`,
  'passkey.added': (record) => t`added ${nounPhrase(t`a passkey`, record, t`the passkey`)}`,
  'passkey.removed': (record) => t`removed ${nounPhrase(t`a passkey`, record, t`the passkey`)}`,
  'identity.linked': ({ details: { provider } }) =>
    text(provider) ? t`linked their ${capitalize(text(provider)!)} account` : t`linked an account`,
  'identity.unlinked': ({ details: { provider } }) =>
    text(provider) ? t`unlinked their ${capitalize(text(provider)!)} account` : t`unlinked an account`,
  'account.reclaimed': () => t`reclaimed their account by verifying its email address`,
  'session.ended': ({ details: { others } }) => {
    if (!text(others)) return t`ended a session`
    return others === '1' ? t`ended another session` : t`ended ${text(others)!} other sessions`
  },
  'api-key.created': (record) => t`created ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'api-key.updated': (record) => t`updated ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'api-key.revoked': (record) => t`revoked ${nounPhrase(t`an API key`, record, t`the API key`)}`,
  'device.approved': ({ details }) => t`approved a device${deviceIn(details)}`,
  'device.denied': ({ details }) => t`denied a device${deviceIn(details)}`,
  'app.connected': (record) =>
    t`connected ${appIn(record)}${optional(' (', labelOf(ACCESS, record.details.access), ')')}`,
  'app.denied': (record) => t`declined to connect ${appIn(record)}`,
  'app.disconnected': (record) =>
    t`disconnected ${appIn(record)}${optional(': ', labelOf(DISCONNECTED, record.details.why))}`,
  'agent-session.deleted': () => t`deleted a conversation with an agent`,
  'agent-session.pinned': () => t`pinned a conversation as knowledge`,
  'agent-session.unpinned': () => t`unpinned a conversation`,
  'run.undone': ({ details: { items } }) => {
    if (!text(items)) return t`undid a run`
    return items === '1' ? t`undid a run (1 item)` : t`undid a run (${text(items)!} items)`
  },
  'agent-session.participant-added': ({ details }) =>
    t`added ${text(details.name) ?? t`a participant`} to a conversation with an agent`,
  'agent-session.participant-removed': ({ details }) =>
    t`removed ${text(details.name) ?? t`a participant`} from a conversation with an agent`,
  'form.answered': () => t`answered a workflow’s form`,
  'approval.decided': ({ details: { decision, tool } }) => {
    const called = text(tool)
    if (decision === 'approve') return called ? t`approved a call to ${called}` : t`approved a tool call`
    return called ? t`denied a call to ${called}` : t`denied a tool call`
  },
  'approval-grant.revoked': ({ details }) =>
    t`revoked “always allow” for a tool${optional(': ', details.tool)}`,
  'agent.created': (record) => t`created ${nounPhrase(t`an agent`, record, t`the agent`)}`,
  'agent.updated': (record) =>
    t`changed ${nounPhrase(t`an agent`, record, t`the agent`)}${optional(' (', record.details.fields, ')')}`,
  'comment.deleted': ({ details: { author } }) =>
    text(author) ? t`deleted a comment by ${text(author)!}` : t`deleted a comment`,
  'schedule.created': (record) => t`created ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'schedule.updated': (record) => t`changed ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'schedule.deleted': (record) => t`deleted ${nounPhrase(t`a schedule`, record, t`the schedule`)}`,
  'source.created': (record) => t`added ${nounPhrase(t`a synced source`, record, t`the synced source`)}`,
  'source.updated': (record) => t`changed ${nounPhrase(t`a synced source`, record, t`the synced source`)}`,
  'source.deleted': (record) => t`deleted ${nounPhrase(t`a synced source`, record, t`the synced source`)}`,
  'source.paused': (record) => t`paused ${nounPhrase(t`a synced source`, record, t`the synced source`)}`,
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
  'table.deleted': (record) => t`deleted ${nounPhrase(t`a table`, record, t`the table`)}`,
  'table.restored': (record) => t`restored ${nounPhrase(t`a table`, record, t`the table`)}`,
  'memory.deleted': (record) => t`deleted ${nounPhrase(t`a memory`, record, t`the memory`)}`,
  'file.shared': (record) => t`created a public link to ${nounPhrase(t`a file`, record, t`the file`)}`,
  'file.unshared': (record) => t`revoked a public link to ${nounPhrase(t`a file`, record, t`the file`)}`,
  'public-links.revoked': ({ details: { links, createdBy } }, nameOf) => {
    const creator = nameOf(text(createdBy) ?? null) ?? t`a former member`
    return links === '1'
      ? t`revoked a public link created by ${creator}`
      : t`revoked ${String(links)} public links created by ${creator}`
  },
  'public-links.updated': ({ details }) =>
    t`changed who can create public links${optional(': ', labelOf(LINK_CREATORS, details.allowedFor))}`,
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
    details.decision === 'approved' ? t`approved a reply to a provider` : t`rejected a reply to a provider`,
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
  'webhook.replayed': (record) => {
    const webhook = nounPhrase(t`a webhook`, record, t`the webhook`)
    return record.details.events === '1'
      ? t`replayed an event to ${webhook}`
      : t`replayed ${String(record.details.events)} events to ${webhook}`
  },
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
    t`changed sharing for ${nounPhrase(t`the connection to`, record)}${optional(': ', labelOf(SHARED_WITH, record.details.shared))}`,
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
  'web-search.set': (record) => t`set the web search provider${optional(': ', record.details.provider)}`,
  'web-search.removed': (record) =>
    t`removed the web search provider${optional(': ', record.details.provider)}`,
  'project.shared': (record) => {
    const project = nounPhrase(t`a project`, record, t`the project`)
    const access = optional(' (', labelOf(ACCESS, record.details.access), ')')
    switch (record.details.how) {
      case 'created':
        return t`created a share link for ${project}${access}`
      case 'changed':
        return t`changed the share link for ${project}${access}`
      case 'rotated':
        return t`replaced the share link for ${project}${access}`
      default:
        return t`changed sharing for ${project}${access}`
    }
  },
  'project.unshared': (record) =>
    t`revoked the share link for ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.invited': (record) => {
    const project = nounPhrase(t`a project`, record, t`the project`)
    const email = text(record.details.email)
    return email
      ? t`invited ${email} to ${project}${asRole(record)}`
      : t`created an invite link for ${project}${optional(' (', labelOf(ROLES, record.details.role), ')')}`
  },
  'project.uninvited': (record) => {
    const project = nounPhrase(t`a project`, record, t`the project`)
    const email = text(record.details.email)
    return email ? t`revoked ${email}’s invitation to ${project}` : t`revoked an invite link for ${project}`
  },
  'project.deleted': (record) => t`deleted ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.history-pruned': (record) =>
    t`pruned canvas history for ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.purged': (record) => t`permanently deleted ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.undeleted': (record) => t`restored ${nounPhrase(t`a project`, record, t`the project`)}`,
  'project.visibility-changed': (record) =>
    record.details.visibility === 'private'
      ? t`made ${nounPhrase(t`a project`, record, t`the project`)} private`
      : t`made ${nounPhrase(t`a project`, record, t`the project`)} visible to its workspaces`,
  'project.workspace-added': (record) =>
    t`added ${nounPhrase(t`a project`, record, t`the project`)} to ${text(record.details.workspace) ?? t`a workspace`}`,
  'project.workspace-removed': (record) =>
    t`removed ${nounPhrase(t`a project`, record, t`the project`)} from ${text(record.details.workspace) ?? t`a workspace`}`,
  'project.moved': (record) =>
    t`moved ${nounPhrase(t`a project`, record, t`the project`)} to ${text(record.details.workspace) ?? t`another workspace`}`,
  'audit.exported': ({ details }) =>
    t`exported the audit log${optional(' (', text(details.format)?.toUpperCase(), ')')}`,
  'events.exported': ({ details }) =>
    t`exported the event log${optional(' (', text(details.format)?.toUpperCase(), ')')}`,
  'organization.updated': (record) =>
    nameIn(record) ? t`renamed the organization to ${nameIn(record)}` : t`updated the organization`,
  'organization.settings-changed': ({ details }) =>
    t`changed the agent policy${optional(': ', text(details.settings)?.split(', ').map(policyPart).join(', '))}`,
  'organization.suspended': ({ details }) => t`suspended the organization${optional(': ', details.reason)}`,
  'organization.resumed': () => t`resumed the organization`,
  'organization.export-requested': () => t`requested an organization export`,
  'organization.export-downloaded': () => t`downloaded an organization export`,
  'organization.erasure-requested': ({ details }) =>
    text(details.eraseAfter)
      ? t`asked to erase the organization on ${formatDate(new Date(text(details.eraseAfter)!))}`
      : t`asked to erase the organization`,
  'organization.erasure-canceled': () => t`canceled the organization’s erasure`,
  'quota.changed': ({ details: { quota, from, to } }) =>
    t`changed the quota “${quotaLabel(quota)}” from ${String(from)} to ${String(to)}`,
  'budget.set': ({ details }) =>
    details.from === 'none'
      ? t`set the budget for ${budgetOf(details)} to ${dollars(details.to)}`
      : t`changed the budget for ${budgetOf(details)} from ${dollars(details.from)} to ${dollars(details.to)}`,
  'budget.removed': ({ details }) =>
    t`removed the budget for ${budgetOf(details)} (${dollars(details.from)})`,
  'payment.created': ({ details }) =>
    t`made a machine payment of ${moneyOf(details)}${optional(': ', paymentStatus(details.status))}`,
  'payment.decided': ({ details }) =>
    details.decision === 'approve'
      ? t`approved a machine payment of ${moneyOf(details)}`
      : t`denied a machine payment of ${moneyOf(details)}`,
  'payment.refunded': ({ details }) => t`requested a refund for a machine payment (${moneyOf(details)})`,
  'mandate.created': ({ details }) =>
    t`created a mandate for ${holderOf(details)} (${moneyOf({ ...details, amount: details.perPayment })} per payment)`,
  'mandate.revoked': ({ details }) => t`revoked a mandate for ${holderOf(details)}`,
  'payment-provider.set': ({ details }) =>
    details.mode === 'test'
      ? t`set Stripe as the payment provider in test mode`
      : t`set Stripe as the payment provider`,
  'payment-provider.removed': () => t`removed the payment provider`,
  'voice-agent.created': ({ details: { provider } }) =>
    text(provider) ? t`added a voice agent from ${labelOf(VOICES, provider)!}` : t`added a voice agent`,
  'voice-agent.rotated': () => t`replaced a voice agent’s secret`,
  'voice-agent.removed': () => t`removed a voice agent`,
  'ownership.transferred': (record, nameOf) => t`transferred ownership to ${memberOf(record, nameOf)}`,
  'member.joined': (record) => t`joined the organization${asRole(record)}`,
  'member.left': () => t`left the organization`,
  'member.removed': (record, nameOf) => t`removed ${memberOf(record, nameOf)}`,
  'member.role-changed': (record, nameOf) =>
    t`changed ${memberOf(record, nameOf)}’s role from ${labelOf(ROLES, record.details.from) ?? '–'} to ${labelOf(ROLES, record.details.to) ?? '–'}`,
  'member.password-reset': ({ details }) =>
    t`created a password reset link for ${text(details.name) ?? t`a former member`}`,
  'invite.sent': (record) => t`invited ${text(record.details.email) ?? t`a former member`}${asRole(record)}`,
  'invite.revoked': ({ details: { email } }) =>
    text(email) ? t`revoked ${text(email)!}’s invitation` : t`revoked an invitation`,
  'mcp.tool-called': ({ target, details }) => {
    const tool = text(details.action) ?? text(target) ?? ''
    const client = optional(' (', details.client, ')')
    return details.error
      ? t`couldn’t call the tool ${tool} over MCP${client}`
      : t`called the tool ${tool} over MCP${client}`
  },
  'workspace.created': (record, nameOf) => t`created the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.renamed': ({ details }) =>
    t`renamed the workspace ${text(details.from) ?? ''} to ${text(details.to) ?? t`another name`}`,
  'workspace.deleted': (record, nameOf) => t`deleted the workspace ${workspaceOf(record, nameOf)}`.trim(),
  'workspace.member-added': (record, nameOf) =>
    t`added ${workspaceMember(record, nameOf)} to ${nameOf(record.target) ?? t`a workspace`}${asRole(record)}`,
  'workspace.member-removed': (record, nameOf) =>
    t`removed ${workspaceMember(record, nameOf)} from ${nameOf(record.target) ?? t`a workspace`}`,
}

const daysOf = (days: unknown) => {
  if (days === 'never') return t`never deleted`
  return days === '1' ? t`1 day` : t`${String(days)} days`
}

const appIn = (record: AuditRecord) =>
  nounPhrase(t`the app`, record) + optional(' (', record.details.host, ')')

const ROLES: Record<string, string> = {
  owner: t`owner`,
  admin: t`admin`,
  member: t`member`,
  editor: t`editor`,
  viewer: t`viewer`,
}

const ACCESS: Record<string, string> = {
  read: t`read`,
  write: t`read and write`,
  view: t`can view`,
  comment: t`can comment`,
  edit: t`can edit`,
}

const DISCONNECTED: Record<string, string> = {
  'code refused': t`its code was refused`,
  'code used twice': t`its code was used twice`,
  'refresh token used twice': t`its refresh token was used twice`,
}

const LINK_CREATORS: Record<string, string> = {
  members: t`anyone who can edit the file`,
  admins: t`owners and admins`,
  nobody: t`nobody`,
}

const SHARED_WITH: Record<string, string> = {
  none: t`not shared`,
  project: t`with a project`,
  org: t`with the organization`,
}

const VOICES: Record<string, string> = { openai: 'OpenAI', elevenlabs: 'ElevenLabs' }

const HOLDERS: Record<string, string> = { key: t`an API key`, agent: t`an agent`, project: t`a project` }

const SCOPES: Record<string, string> = {
  org: t`the organization`,
  project: t`a project`,
  agent: t`an agent`,
  user: t`one member`,
  key: t`an API key`,
}

/** Unknown values from a newer server stay as they are. */
const labelOf = (labels: Record<string, string>, value: unknown) => labels[text(value) ?? ''] ?? text(value)

const asRole = ({ details }: AuditRecord) => {
  const role = labelOf(ROLES, details.role)
  return role ? t` as ${role}` : ''
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

/** The target is the workspace; the details hold the member. */
const workspaceMember = (record: AuditRecord, nameOf: NameOf) =>
  nameOf(text(record.details.userId) ?? null) ?? recordedName(record) ?? t`a former member`

const deviceIn = (details: AuditRecord['details']) =>
  optional(' (', text(details.hostname) ?? details.from, ')')

const optional = (before: string, value: unknown, after = '') =>
  text(value) ? before + text(value) + after : ''

const POLICY_PARTS: Record<string, string> = {
  approvals: t`approvals`,
  defaultBudgets: t`default budgets`,
  defaultModel: t`default model`,
  models: t`allowed models`,
  runEventDays: t`run retention`,
}

const policyPart = (name: string) => POLICY_PARTS[name] ?? name

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

const moneyOf = ({ amount, currency }: AuditRecord['details']) =>
  formatMoney(String(amount).replace(/(\.\d\d)0+$/, '$1'), String(currency))

const paymentStatus = (status: unknown) =>
  PAYMENT_STATUSES.includes(status as PaymentStatus)
    ? labelInSentence(PAYMENT_LABELS[status as PaymentStatus].label)
    : text(status)

const quotaLabel = (quota: unknown) => QUOTAS[quota as QuotaName]?.label ?? String(quota)

const holderOf = ({ holder }: AuditRecord['details']) => labelOf(HOLDERS, holder) ?? t`an API key`

const dollars = (amount: unknown) => formatCost({ amount: String(amount) })

/** `a project per month`. */
const budgetOf = ({ scope, period }: AuditRecord['details']) =>
  `${labelOf(SCOPES, scope)} ${labelOf(PERIOD_LABELS, period)}`
