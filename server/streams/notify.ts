import type { Fragment, Sql } from '../database/database.ts'
import { notify } from '../database/transaction.ts'

export const PROJECT_CHANNEL = 'atrium_live'
export const ACCESS_CHANNEL = 'atrium_access'

export type LiveMessage =
  /** canvas_changes has new rows. */
  | { kind: 'change' }
  | { kind: 'project' }
  /** A table or its rows changed. */
  | { kind: 'table'; tableId: string; seq: number }
  | { kind: 'comments'; target: string }
  /** Presence is never stored. */
  | { kind: 'presence' | 'left'; presence: Record<string, unknown> }

/** Sends after the commit. If lost, streams read at their heartbeat. */
export function notifyProject(sql: Sql, orgId: string, projectId: string, message: LiveMessage): void {
  notify(sql, PROJECT_CHANNEL, JSON.stringify({ orgId, projectId, ...message }))
}

/** One user everywhere, with their share links' guests, an organization, or one project. */
export type AccessSubject = { userId: string } | { orgId: string } | { orgId: string; projectId: string }

/**
 * For a `select` in the change's transaction. Unlike other notifications, it's transactional: a committed revocation
 * must reach every stream, even if this process dies right after, and revocations are rare. Affected streams end or
 * recheck.
 */
export function notifyAccessChanged(sql: Sql, subject: AccessSubject): Fragment {
  return sql`pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify(subject)})`
}

export interface Subscriber {
  orgId: string
  /** For a guest, the user who created the share link. */
  userId: string
  projectId: string | null
  /** False for a guest on a share link without comments. Default: true. */
  seesComments?: boolean
}

export function isAffected(subscriber: Subscriber, subject: AccessSubject): boolean {
  if ('userId' in subject) return subscriber.userId === subject.userId
  if (subscriber.orgId !== subject.orgId) return false
  return !('projectId' in subject) || subscriber.projectId === subject.projectId
}
