import type { Sql } from '../../../database/database.ts'

/** A client that repeats a refresh gets the successor of its token, for a minute only. */
export const forgetSuccessors = (sql: Sql, usedBefore: Date) =>
  sql`update app_tokens set successor = null where successor is not null and used_at < ${usedBefore}`

export const deleteExpiredTokens = (sql: Sql, now: Date) =>
  sql`delete from app_tokens where expires_at < ${now}`

/** Deletes grants that were revoked, expired, unused for the lifetime of their refresh tokens, or never completed. */
export const deleteEndedGrants = (sql: Sql, endedBefore: Date) => sql`
  delete from app_grants
  where least(revoked_at, expires_at, coalesce(refresh_until, code_expires_at)) < ${endedBefore}`
