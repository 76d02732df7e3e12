import type { AuditRecord } from './audit-queries.ts'

/** Finds the name behind the id of a person or a workspace, where it is still known. */
export type NameOf = (id: string | null) => string | undefined

interface Act {
  /** In the filter. */
  word: string
  /** After the name of whoever did it. */
  say: (record: AuditRecord, nameOf: NameOf) => string
}

const plain = (word: string, sentence: string): Act => ({ word, say: () => sentence })

/** Every act that is written down, in words. */
export const ACTS: Record<string, Act> = {
  setup: plain('Server set up', 'set up the server'),
  'sign-in': { word: 'Sign-in', say: (record) => `signed in${withProof(record)}` },
  'sign-out': plain('Sign-out', 'signed out'),
  'sign-up': plain('Sign-up', 'signed up'),
  'step-up': { word: 'Identity confirmed', say: (record) => `confirmed who they are${withProof(record)}` },
  'password.changed': plain('Password changed', 'changed their password'),
  'email.verified': plain('Address verified', 'verified their email address'),
  'email.change-requested': {
    word: 'Change of address requested',
    say: ({ details }) => `asked for another email address${maybe(', ', details.to)}`,
  },
  'email.changed': {
    word: 'Address changed',
    say: (record) => `changed their email address${fromTo(record)}`,
  },
  'totp.enabled': plain('Authenticator app set up', 'set up an authenticator app'),
  'totp.removed': plain('Authenticator app removed', 'removed their authenticator app'),
  'recovery-codes.renewed': plain('Recovery codes renewed', 'renewed their recovery codes'),
  'passkey.added': { word: 'Passkey added', say: (record) => `added ${thing('a', 'passkey', record)}` },
  'passkey.removed': {
    word: 'Passkey removed',
    say: (record) => `removed ${thing('a', 'passkey', record)}`,
  },
  'identity.linked': {
    word: 'Account linked',
    say: ({ details }) => `linked an account${maybe(' of ', details.provider)}`,
  },
  'identity.unlinked': {
    word: 'Account unlinked',
    say: ({ details }) => `unlinked an account${maybe(' of ', details.provider)}`,
  },
  'account.reclaimed': plain('Account reclaimed', 'reclaimed their account by proving its address'),
  'session.ended': {
    word: 'Session ended',
    say: ({ details }) => maybe('ended ', details.others, ' other sessions') || 'ended a session',
  },
  'api-key.created': {
    word: 'API key created',
    say: (record) => `created ${thing('an', 'API key', record)}`,
  },
  'api-key.updated': {
    word: 'API key changed',
    say: (record) => `changed ${thing('an', 'API key', record)}`,
  },
  'api-key.revoked': {
    word: 'API key revoked',
    say: (record) => `revoked ${thing('an', 'API key', record)}`,
  },
  'device.approved': {
    word: 'Device approved',
    say: ({ details }) => `let in a device${device(details)}`,
  },
  'device.denied': { word: 'Device denied', say: ({ details }) => `turned away a device${device(details)}` },
  'file.purged': {
    word: 'File deleted for good',
    say: (record) => `deleted ${thing('a', 'file', record)} for good`,
  },
  'webhook.created': { word: 'Webhook created', say: (record) => `created ${thing('a', 'webhook', record)}` },
  'webhook.updated': { word: 'Webhook changed', say: (record) => `changed ${thing('a', 'webhook', record)}` },
  'webhook.rotated': {
    word: 'Webhook secret replaced',
    say: (record) => `made a new secret for ${thing('a', 'webhook', record)}`,
  },
  'webhook.deleted': { word: 'Webhook deleted', say: (record) => `deleted ${thing('a', 'webhook', record)}` },
  'webhook.disabled': {
    word: 'Webhook disabled',
    say: (record) => `disabled ${thing('a', 'webhook', record)} because it kept failing`,
  },
  'project.shared': {
    word: 'Project shared',
    say: (record) =>
      `${SHARING[text(record.details.how) ?? ''] ?? 'shared'} ${thing('a', 'project', record)}${maybe(' (', record.details.access, ')')}`,
  },
  'project.unshared': {
    word: 'Share link revoked',
    say: (record) => `revoked the share link of ${thing('a', 'project', record)}`,
  },
  'project.invited': {
    word: 'Invited to project',
    say: (record) =>
      `${text(record.details.email) ? `invited ${text(record.details.email)} to` : 'made an invite link for'} ${thing('a', 'project', record)}${maybe(' as ', record.details.role)}`,
  },
  'project.uninvited': {
    word: 'Invite to project withdrawn',
    say: (record) =>
      `withdrew the invite${maybe(' of ', record.details.email)} to ${thing('a', 'project', record)}`,
  },
  'project.deleted': {
    word: 'Project deleted',
    say: (record) => `deleted ${thing('a', 'project', record)}`,
  },
  'project.undeleted': {
    word: 'Project brought back',
    say: (record) => `brought back ${thing('a', 'project', record)}`,
  },
  'project.visibility-changed': {
    word: 'Project visibility changed',
    say: (record) =>
      `made ${thing('a', 'project', record)} ${record.details.visibility === 'private' ? 'private' : 'visible to its team'}`,
  },
  'project.workspace-added': {
    word: 'Project shared into workspace',
    say: (record) => `shared ${thing('a', 'project', record)}${maybe(' into ', record.details.workspace)}`,
  },
  'project.workspace-removed': {
    word: 'Project taken out of workspace',
    say: (record) =>
      `took ${thing('a', 'project', record)} out of ${text(record.details.workspace) ?? 'a workspace'}`,
  },
  'project.moved': {
    word: 'Project moved',
    say: (record) =>
      `moved ${thing('a', 'project', record)} to ${text(record.details.workspace) ?? 'another workspace'}`,
  },
  'organization.updated': {
    word: 'Organization renamed',
    say: (record) =>
      named(record) ? `renamed the organization to ${named(record)}` : 'changed the organization',
  },
  'ownership.transferred': {
    word: 'Ownership transferred',
    say: (record, nameOf) => `transferred ownership to ${somebody(record, nameOf)}`,
  },
  'member.joined': {
    word: 'Member joined',
    say: ({ details }) => `joined${maybe(' as ', details.role)}`,
  },
  'member.left': plain('Member left', 'left the organization'),
  'member.removed': {
    word: 'Member removed',
    say: (record, nameOf) => `removed ${somebody(record, nameOf)}`,
  },
  'member.role-changed': {
    word: 'Role changed',
    say: (record, nameOf) => `changed the role of ${somebody(record, nameOf)}${fromTo(record)}`,
  },
  'invite.sent': {
    word: 'Invitation sent',
    say: ({ details }) => `invited ${text(details.email) ?? 'somebody'}${maybe(' as ', details.role)}`,
  },
  'invite.revoked': {
    word: 'Invitation withdrawn',
    say: ({ details }) => `withdrew the invitation${maybe(' of ', details.email)}`,
  },
  'workspace.created': {
    word: 'Workspace created',
    say: (record, nameOf) => `created the workspace ${place(record, nameOf)}`.trim(),
  },
  'workspace.renamed': {
    word: 'Workspace renamed',
    say: ({ details }) =>
      `renamed the workspace ${text(details.from) ?? ''} to ${text(details.to) ?? 'another name'}`,
  },
  'workspace.deleted': {
    word: 'Workspace deleted',
    say: (record, nameOf) => `deleted the workspace ${place(record, nameOf)}`.trim(),
  },
  'workspace.member-added': {
    word: 'Added to workspace',
    say: (record, nameOf) => `added ${inWorkspace(record, nameOf)}${maybe(' as ', record.details.role)}`,
  },
  'workspace.member-removed': {
    word: 'Removed from workspace',
    say: (record, nameOf) => `removed ${inWorkspace(record, nameOf)}`,
  },
}

const SHARING: Record<string, string> = {
  created: 'made a share link for',
  changed: 'changed the share link of',
  rotated: 'renewed the share link of',
}

/** An act of a newer server is shown by its name. */
export const sayAct = (record: AuditRecord, nameOf: NameOf) =>
  ACTS[record.action]?.say(record, nameOf) ?? record.action

const PROOFS: Record<string, string> = {
  password: 'with a password',
  'magic-link': 'with a mailed link',
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

const thing = (article: string, noun: string, record: AuditRecord) =>
  named(record) ? `the ${noun} ${named(record)}` : `${article} ${noun}`

const named = ({ details }: AuditRecord) => text(details.name) ?? ''

const somebody = (record: AuditRecord, nameOf: NameOf) =>
  nameOf(record.target) ?? calledThen(record) ?? 'somebody'

/** As they were called at the time: by now they may be gone. */
const calledThen = ({ details }: AuditRecord) => {
  const [name, email] = [text(details.name), text(details.email)]
  return name && email ? `${name} (${email})` : (name ?? email)
}

const place = (record: AuditRecord, nameOf: NameOf) =>
  text(record.details.name) ?? nameOf(record.target) ?? ''

const fromTo = ({ details }: AuditRecord) => maybe(' from ', details.from) + maybe(' to ', details.to)

/** The target is the workspace; the person stands in the details. */
function inWorkspace(record: AuditRecord, nameOf: NameOf): string {
  const { details, target } = record
  const person = nameOf(text(details.userId) ?? null) ?? calledThen(record) ?? 'somebody'
  const workspace = nameOf(target)
  const preposition = record.action.endsWith('added') ? 'to' : 'from'
  return `${person} ${preposition} ${workspace ?? 'a workspace'}`
}

const device = (details: AuditRecord['details']) => maybe(' (', text(details.hostname) ?? details.from, ')')

/** The value between its words, or nothing where the record does not hold it. */
const maybe = (before: string, value: unknown, after = '') =>
  text(value) ? before + text(value) + after : ''

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
