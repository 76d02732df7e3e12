import type { Role, StepUpMethod } from '../../../../contract/accounts/accounts.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Sql } from '../../../database/database.ts'
import { inOrder } from '../../../database/in-order.ts'
import { deleteUserTokens } from '../../../one-time-tokens/one-time-tokens.ts'

export interface SessionRow {
  id: string
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  operator: boolean
  stepUpUntil: string | null
  stepUpMethods: StepUpMethod[]
  lastSeenAt: string
}

/** Indexed lookups from cookies to everything authorization needs, in the order of the hashes. */
export async function findSessions(
  sql: Sql,
  tokenHashes: Buffer[],
  now: Date,
): Promise<(SessionRow | null)[]> {
  const rows = await sql<(SessionRow & { place: number })[]>`
    select s.id, s.user_id as "userId", s.org_id as "orgId", s.workspace_id as "workspaceId", m.role,
      u.is_operator as operator, s.step_up_until as "stepUpUntil", ${stepUpMethods(sql)} as "stepUpMethods",
      s.last_seen_at as "lastSeenAt", array_position(${tokenHashes}::bytea[], s.token_hash) as place
    from sessions s
    join memberships m on m.org_id = s.org_id and m.user_id = s.user_id
    join users u on u.id = s.user_id
    where s.token_hash = any(${tokenHashes}::bytea[]) and s.expires_at > ${now}`
  return inOrder(rows, tokenHashes.length)
}

/** Recovery codes are for sign-in only. */
const stepUpMethods = (sql: Sql) => sql`array_remove(array[
  case when u.password_hash is not null then 'password' end,
  case when u.totp_enabled_at is not null then 'totp' end,
  case when exists (select from passkeys p where p.user_id = u.id) then 'passkey' end
], null)`

export interface NewSession {
  id: string
  tokenHash: Buffer
  userId: string
  orgId: string
  workspaceId: string | null
  stepUpUntil: Date | null
  address: string
  userAgent: string | null
  now: Date
  expiresAt: Date
}

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql`
    insert into sessions (id, token_hash, user_id, org_id, workspace_id, step_up_until, address, user_agent, created_at,
      last_seen_at, expires_at)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.orgId}, ${session.workspaceId},
      ${session.stepUpUntil}, ${session.address}, ${session.userAgent}, ${session.now}, ${session.now},
      ${session.expiresAt})`
}

/** Skips a locked row, so two sign-ins don't wait for each other: the next one stores it. */
export const updateUnknownLanguage = (sql: Sql, userId: string, language: Language) => sql`
  update users set language = ${language} where id in (
    select id from users where id = ${userId} and language is null for no key update skip locked)`

export const updateSessionsSeen = (sql: Sql, ids: string[], now: Date, expiresAt: Date) =>
  sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where id = any(${ids}::uuid[])`

export const updateStepUp = (sql: Sql, sessionId: string, until: Date) =>
  sql`update sessions set step_up_until = ${until} where id = ${sessionId}`

export const deleteExpiredSessions = (sql: Sql, now: Date) =>
  sql`delete from sessions where expires_at < ${now}`

/** Bounds the work per sign-in attempt. The oldest accounts count, so later ones can't displace them. */
const ACCOUNTS_PER_ADDRESS_MAX = 4

export interface AccountPassword {
  userId: string
  passwordHash: string
  isVerified: boolean
}

/** The account that verified the address comes first. */
export const listPasswords = (sql: Sql, email: string) => sql<AccountPassword[]>`
  select id as "userId", password_hash as "passwordHash", email_verified_at is not null as "isVerified"
  from users where lower(email) = lower(${email}) and password_hash is not null
  order by email_verified_at is null, id limit ${ACCOUNTS_PER_ADDRESS_MAX}`

export async function findPasswordHash(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql<{ passwordHash: string | null }[]>`
    select password_hash as "passwordHash" from users where id = ${userId}`
  return row?.passwordHash ?? null
}

/** True if the hash is unchanged. Locks the row until the session exists: a password change sees and ends it. */
export async function lockPassword(sql: Sql, userId: string, passwordHash: string): Promise<boolean> {
  const rows = await sql`
    select from users where id = ${userId} and password_hash = ${passwordHash} for share`
  return rows.length > 0
}

export interface SignInState {
  isVerified: boolean
  hasTotp: boolean
}

export async function findSignInState(sql: Sql, userId: string) {
  const [row] = await sql<SignInState[]>`
    select email_verified_at is not null as "isVerified", totp_enabled_at is not null as "hasTotp"
    from users where id = ${userId}`
  return row ?? null
}

/** In the organization the user joined first. */
export async function findDefaultWorkspace(sql: Sql, userId: string) {
  const [row] = await sql<{ orgId: string; workspaceId: string | null }[]>`
    select org_id as "orgId", default_workspace_id as "workspaceId" from memberships
    where user_id = ${userId} order by created_at, org_id limit 1`
  return row ?? null
}

export interface Profile {
  userId: string
  name: string
  email: string
  operator: boolean
  emailVerified: boolean
  language: Language | null
  settings: { defaultProjectVisibility?: 'team' | 'private' }
  stepUpMethods: StepUpMethod[]
  workspaceName: string | null
}

export async function findProfile(sql: Sql, orgId: string, userId: string, workspaceId: string | null) {
  const [row] = await sql<Profile[]>`
    select u.id as "userId", u.name, u.email, u.is_operator as operator, u.email_verified_at is not null as "emailVerified",
      u.language, u.settings, ${stepUpMethods(sql)} as "stepUpMethods", w.name as "workspaceName"
    from users u left join workspaces w on w.org_id = ${orgId} and w.id = ${workspaceId} and w.deleted_at is null
    where u.id = ${userId}`
  return row ?? null
}

export async function listOrganizations(sql: Sql, userId: string) {
  return sql<{ id: string; name: string; role: Role }[]>`
    select o.id, o.name, m.role from memberships m join organizations o on o.id = m.org_id
    where m.user_id = ${userId} order by o.name, o.id`
}

/**
 * Whether an operator here has no other active organization. Locks the operators, so one operator's two organizations
 * don't close concurrently.
 */
export async function isOnlyOrganizationOfOperator(sql: Sql, orgId: string): Promise<boolean> {
  await sql`
    select from users u where u.is_operator and u.id in (select m.user_id from memberships m where m.org_id = ${orgId})
    order by u.id for no key update`
  const rows = await sql`
    select from memberships m join users u on u.id = m.user_id and u.is_operator
    where m.org_id = ${orgId} and not exists (
      select from memberships o where o.user_id = m.user_id and o.org_id <> m.org_id
        and not exists (select from suspensions s where s.org_id = o.org_id)) limit 1`
  return rows.length > 0
}

/** Operators serve every organization, so this query has no tenant. */
export const listOperators = (sql: Sql) =>
  sql<
    { id: string; email: string; language: Language | null }[]
  >`select id, email, language from users where is_operator order by id`

interface ActiveWorkspace {
  orgId: string
  workspaceId: string | null
}

/** Lock before a user leaves: otherwise two concurrent calls could each move sessions to the other's organization. */
export const lockUser = (sql: Sql, userId: string) =>
  sql`select from users where id = ${userId} for no key update`

/** Locked, so the membership exists until the sessions have moved. */
export async function findOtherDefaultWorkspace(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<ActiveWorkspace[]>`
    select org_id as "orgId", default_workspace_id as "workspaceId" from memberships
    where user_id = ${userId} and org_id <> ${orgId} order by created_at, org_id limit 1 for key share`
  return row ?? null
}

export const moveSessions = (sql: Sql, orgId: string, userId: string, workspace: ActiveWorkspace) =>
  sql`update sessions set org_id = ${workspace.orgId}, workspace_id = ${workspace.workspaceId}
    where org_id = ${orgId} and user_id = ${userId}`

export const updateSessionWorkspace = (
  sql: Sql,
  orgId: string,
  workspaceId: string | null,
  session: { id: string; userId: string },
) =>
  sql`update sessions set org_id = ${orgId}, workspace_id = ${workspaceId}
    where id = ${session.id} and user_id = ${session.userId}`

interface InvitedUser {
  id: string
  email: string
  name: string
  passwordHash: string
  /** True if the link was sent to the email address, which verifies it. */
  isVerified: boolean
  now: Date
}

/** Returns false if `isVerified` is set and another user has verified the email address. */
export async function insertInvitedUser(sql: Sql, user: InvitedUser): Promise<boolean> {
  const rows = await sql`
    insert into users (id, email, name, password_hash, email_verified_at, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isVerified ? user.now : null},
      ${user.now}, ${user.now})
    on conflict (lower(email)) where email_verified_at is not null do nothing returning id`
  return rows.length > 0
}

/**
 * For at most `limit` members who belong only to organizations being erased. The row keeps its id, since rows in
 * organizations the member left may refer to it. Returns how many. Operators keep their accounts.
 */
export async function eraseAccounts(
  sql: Sql,
  orgId: string,
  { erasing, limit }: { erasing: string[]; limit: number },
): Promise<number> {
  const erased = await sql<{ id: string }[]>`
    update users u set name = 'Erased account', email = ${addressOf(sql)}, password_hash = null, email_verified_at = null,
      totp_secret = null, totp_enabled_at = null, totp_last_step = null, language = null, settings = '{}', updated_at = now()
    where u.id in (
      select m.user_id from memberships m join users u on u.id = m.user_id
      where m.org_id = ${orgId} and not u.is_operator and u.email <> ${addressOf(sql)}
        and not exists (select from memberships o where o.user_id = m.user_id and o.org_id <> all(${erasing}::uuid[]))
      limit ${limit})
    returning u.id`
  const ids = erased.map(({ id }) => id)
  await sql`delete from passkeys where user_id = any(${ids}::uuid[])`
  await sql`delete from identities where user_id = any(${ids}::uuid[])`
  await sql`delete from recovery_codes where user_id = any(${ids}::uuid[])`
  await sql`delete from sessions where user_id = any(${ids}::uuid[])`
  await deleteUserTokens(sql, ids)
  return ids.length
}

/** Unique, and at a domain that can't exist (RFC 2606). */
const addressOf = (sql: Sql) => sql`'erased-' || u.id || '@invalid'`
