import { t } from '../text.ts'

/**
 * Named `<noun>.<past participle>`. With `published: false`, webhooks may subscribe, but the type isn't offered, and
 * nothing can publish it.
 */
export const EVENT_TYPES = {
  'project.created': { category: 'project', description: t`A project was created` },
  'project.updated': { category: 'project', description: t`A project’s settings were changed` },
  'project.deleted': { category: 'project', description: t`A project was deleted, with its folder` },
  'project.purged': { category: 'project', description: t`A project was permanently deleted` },
  'project.shared': { category: 'project', description: t`A share link was created or changed` },
  'project.unshared': { category: 'project', description: t`A share link was revoked` },
  'project.duplicated': { category: 'project', description: t`A project was duplicated` },
  'project.restored': {
    category: 'project',
    description: t`A project was restored from a manifest, a snapshot or the trash`,
  },
  'project.table.created': { category: 'project', description: t`A table was created or restored` },
  'project.table.updated': {
    category: 'project',
    description: t`A table or its rows were changed: one event for each call`,
  },
  'project.table.deleted': { category: 'project', description: t`A table was deleted` },
  'project.block.created': { category: 'project', description: t`Blocks were added to a canvas` },
  'project.block.updated': { category: 'project', description: t`Blocks on a canvas were changed` },
  'project.block.moved': { category: 'project', description: t`Blocks on a canvas were moved` },
  'project.block.deleted': { category: 'project', description: t`Blocks were deleted from a canvas` },
  'agent.created': { category: 'agent', description: t`An agent was created` },
  'agent.updated': { category: 'agent', description: t`An agent was changed, archived or unarchived` },
  'agent.run.queued': { category: 'agent', description: t`A run was queued` },
  'agent.run.started': { category: 'agent', description: t`A run started` },
  'agent.run.waiting': {
    category: 'agent',
    description: t`A run is waiting for a member, a provider or another run`,
  },
  'agent.run.completed': { category: 'agent', description: t`A run completed` },
  'agent.run.failed': { category: 'agent', description: t`A run failed` },
  'agent.run.canceled': { category: 'agent', description: t`A run was canceled` },
  'task.created': { category: 'task', description: t`Tasks were added to a canvas` },
  'task.updated': { category: 'task', description: t`Tasks were changed` },
  'task.completed': { category: 'task', description: t`Tasks were completed` },
  'file.created': { category: 'file', description: t`A file, folder or link was created` },
  'file.updated': {
    category: 'file',
    description: t`A file was renamed or retagged, or its content was replaced`,
  },
  'file.moved': { category: 'file', description: t`A file was moved, and may have been renamed` },
  'file.deleted': { category: 'file', description: t`A file was moved to the trash` },
  'file.restored': { category: 'file', description: t`A file was restored from the trash` },
  'file.shared': { category: 'file', description: t`A public link to a file was created` },
  'file.unshared': { category: 'file', description: t`A public link to a file was revoked` },
  'file.purged': { category: 'file', description: t`A file was permanently deleted` },
  'agent.approval.requested': { category: 'agent', description: t`A run asks for approval` },
  'agent.approval.decided': { category: 'agent', description: t`An approval was decided` },
  'session.created': { category: 'session', description: t`A conversation with an agent was created` },
  'session.ended': { category: 'session', description: t`A conversation with an agent ended` },
  'session.message.created': {
    category: 'session',
    description: t`A user added a message to a conversation`,
  },
  'session.participant.added': {
    category: 'session',
    description: t`A participant was added to a conversation`,
  },
  'session.participant.removed': {
    category: 'session',
    description: t`A participant was removed from a conversation`,
  },
  'skill.created': { category: 'skill', description: t`A skill was created or imported` },
  'skill.updated': { category: 'skill', description: t`A skill was changed` },
  'skill.deleted': { category: 'skill', description: t`A skill was deleted` },
  'memory.created': { category: 'memory', description: t`A memory was created` },
  'memory.updated': { category: 'memory', description: t`A memory’s text was changed` },
  'memory.deleted': { category: 'memory', description: t`A memory was deleted, or merged into another` },
  'memory.proposed': {
    category: 'memory',
    description: t`A run proposed a memory, which a member must accept`,
  },
  'memory.decided': {
    category: 'memory',
    description: t`A proposed memory was accepted, rejected or reopened`,
  },
  'source.synced': {
    category: 'source',
    description: t`A synced source completed a sync that changed files`,
  },
  'source.failed': { category: 'source', description: t`A synced source failed three times in a row` },
  'source.paused': { category: 'source', description: t`A synced source was paused` },
  'billing.usage.recorded': {
    category: 'billing',
    description: t`Billable usage was recorded`,
    published: false,
  },
  'billing.payment.created': { category: 'billing', description: t`A machine payment was created` },
  'billing.payment.succeeded': { category: 'billing', description: t`A machine payment succeeded` },
  'billing.payment.failed': { category: 'billing', description: t`A machine payment failed` },
  'billing.payment.canceled': {
    category: 'billing',
    description: t`A machine payment was denied, or was not approved in time`,
  },
  'billing.payment.unknown': {
    category: 'billing',
    description: t`The provider’s response to a machine payment was lost`,
  },
  'billing.payment.refunded': { category: 'billing', description: t`A machine payment was refunded` },
  'billing.budget.warning': { category: 'billing', description: t`80% of a budget is spent` },
  'billing.budget.reached': {
    category: 'billing',
    description: t`A budget is spent, or refused a model call that it could not cover`,
  },
  'billing.limit.reached': {
    category: 'billing',
    description: t`A budget limit was reached`,
    published: false,
  },
  'connection.created': { category: 'connection', description: t`A connection to a service was started` },
  'connection.established': {
    category: 'connection',
    description: t`A connection to a service was established`,
  },
  'connection.expired': {
    category: 'connection',
    description: t`A connection expired and must be authorized again`,
  },
  'connection.recovered': {
    category: 'connection',
    description: t`A connection that expired or failed works again`,
  },
  'connection.revoked': { category: 'connection', description: t`A connection was revoked` },
  'connection.shared': {
    category: 'connection',
    description: t`A connection was shared with others, or is no longer shared`,
  },
  'comment.created': { category: 'comment', description: t`A comment was added to a block, file or run` },
  'comment.updated': { category: 'comment', description: t`A comment was edited` },
  'comment.resolved': { category: 'comment', description: t`A comment thread was resolved` },
  'comment.reopened': { category: 'comment', description: t`A resolved comment thread was reopened` },
  'comment.deleted': { category: 'comment', description: t`A comment was deleted` },
  'webhook.test': { category: 'webhook', description: t`A test event was sent` },
  'webhook.paused': {
    category: 'webhook',
    description: t`A webhook was paused because its endpoint kept timing out or fell behind`,
  },
  'webhook.disabled': {
    category: 'webhook',
    description: t`A webhook was disabled because its endpoint kept failing`,
  },
  'call.started': { category: 'call', description: t`A phone call started` },
  'call.ended': { category: 'call', description: t`A phone call ended` },
  'sms.received': { category: 'sms', description: t`A text message was received` },
  'sms.sent': { category: 'sms', description: t`A text message was sent` },
  'sms.failed': { category: 'sms', description: t`A text message could not be sent or delivered` },
  'call.updated': { category: 'call', description: t`A phone call rang, was answered or was transferred` },
  'feedback.created': { category: 'feedback', description: t`Feedback was submitted` },
  'feedback.updated': {
    category: 'feedback',
    description: t`Feedback was edited, commented on, or its status changed`,
  },
  'organization.suspended': {
    category: 'organization',
    description: t`An operator suspended the organization; delivered when it is resumed`,
  },
  'organization.resumed': { category: 'organization', description: t`An operator resumed the organization` },
  'organization.exported': {
    category: 'organization',
    description: t`An organization export is ready to download`,
  },
  'organization.erasure.requested': {
    category: 'organization',
    description: t`The organization is scheduled for erasure; delivered if the erasure is canceled`,
  },
  'organization.erasure.canceled': {
    category: 'organization',
    description: t`The organization’s erasure was canceled`,
  },
  'key.created': { category: 'key', description: t`An API key was created` },
  'key.updated': { category: 'key', description: t`An API key was renamed or its scopes were changed` },
  'key.revoked': { category: 'key', description: t`An API key was revoked` },
} as const satisfies Record<string, { category: string; description: string; published?: false }>

export type EventType = keyof typeof EVENT_TYPES
export type PublishedEventType = {
  [Name in EventType]: (typeof EVENT_TYPES)[Name] extends { published: false } ? never : Name
}[EventType]

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[]
export const PUBLISHED_EVENT_TYPES = EVENT_TYPE_NAMES.filter(
  (name): name is PublishedEventType => !('published' in EVENT_TYPES[name]),
)
