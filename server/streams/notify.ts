import type { Fragment, Sql } from '../database/database.ts'

export const LIVE_CHANNEL = 'atrium_live'

/** What open dashboards are told of a project. */
export type LiveMessage =
  /** Its canvas changed: there is something to read in canvas_changes. */
  | { kind: 'change' }
  /** Its settings changed. */
  | { kind: 'project' }
  /** Who may see it changed: whoever is looking has to be let in anew. */
  | { kind: 'access' }
  /** Somebody who has it open moved, or went; kept nowhere. */
  | { kind: 'presence' | 'left'; presence: Record<string, unknown> }

/** For a `select`, on the transaction of the change: it is heard, by every process, once that has committed. */
export function notifyProject(sql: Sql, orgId: string, projectId: string, word: LiveMessage): Fragment {
  return sql`pg_notify(${LIVE_CHANNEL}, ${JSON.stringify({ orgId, projectId, ...word })})`
}

/** Whose way in changed: of one person, with the guests of their links, or of everybody in an organization. */
export type AccessSubject = { userId: string } | { orgId: string }

const ACCESS = { kind: 'access' } as const
const ACCESS_BEGINNING = JSON.stringify(ACCESS).slice(0, -1)

/** Likewise: whatever they have open ends at once, and opens again only for whoever is let in anew. */
export function notifyAccessChanged(sql: Sql, whose: AccessSubject): Fragment {
  return sql`pg_notify(${LIVE_CHANNEL}, ${JSON.stringify({ ...ACCESS, ...whose })})`
}

/** Whose way in a word is about, if it is such a word: most are not, and are not read any further. */
export const whoseAccess = (payload: string): AccessSubject | null =>
  payload.startsWith(ACCESS_BEGINNING) ? (JSON.parse(payload) as AccessSubject) : null
