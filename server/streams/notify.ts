import type { Fragment, Sql } from '../database/database.ts'
import { notify } from '../database/transaction.ts'

/** Changes of projects and presence on their canvases. */
export const PROJECT_CHANNEL = 'atrium_live'
/** Revocations, and every other change of read access. */
export const ACCESS_CHANNEL = 'atrium_access'

export type LiveMessage =
  /** canvas_changes has new rows. */
  | { kind: 'change' }
  /** The settings of the project changed. */
  | { kind: 'project' }
  /** Comments on something in the project changed. */
  | { kind: 'comments'; target: string }
  /** A client reported its presence, or left. Presence is never stored. */
  | { kind: 'presence' | 'left'; presence: Record<string, unknown> }

/** Sends the message to every process after the commit. If it is lost, streams read at their heartbeat. */
export function notifyProject(sql: Sql, orgId: string, projectId: string, message: LiveMessage): void {
  notify(sql, PROJECT_CHANNEL, JSON.stringify({ orgId, projectId, ...message }))
}

/**
 * Whose access changed: one user's in every organization, including the guests of their share links; everyone's in an
 * organization; or everyone's to one project.
 */
export type AccessSubject = { userId: string } | { orgId: string } | { orgId: string; projectId: string }

/**
 * A fragment for a `select` on the transaction of the change. Unlike other notifications it is part of the transaction:
 * a revocation that commits must reach every stream immediately, even if this process is killed right after the commit,
 * and revocations are too rare to slow down other commits. Affected streams end or check again; a client that still has
 * access reconnects.
 */
export function notifyAccessChanged(sql: Sql, subject: AccessSubject): Fragment {
  return sql`pg_notify(${ACCESS_CHANNEL}, ${JSON.stringify(subject)})`
}

/** The credential and the resource of one stream. */
export interface Subscriber {
  orgId: string
  /** The user of the credential; for a guest, the user who created the share link. */
  userId: string
  /** Null for a stream that is not about one project. */
  projectId: string | null
  /** False for a guest whose share link does not include comments. Default: true. */
  seesComments?: boolean
}

export function isAffected(subscriber: Subscriber, subject: AccessSubject): boolean {
  if ('userId' in subject) return subscriber.userId === subject.userId
  if (subscriber.orgId !== subject.orgId) return false
  return !('projectId' in subject) || subscriber.projectId === subject.projectId
}
