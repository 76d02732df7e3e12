import type { EndpointPause } from '../../../../contract/connections/connector-endpoint-options.ts'
import type { ConnectionStatus } from '../../../../contract/connections/connector-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../jobs/claim-fairly.ts'

export interface EndpointRow {
  orgId: string
  id: string
  connectionId: string
  slug: string
  name: string
  projectId: string
  agentId: string
  ownerId: string
  status: 'active' | 'paused'
  pausedReason: EndpointPause | null
  events: string[]
  sessionKey: string
  reply: 'auto' | 'approve' | 'off'
  filter: string | null
  fields: Record<string, string>
  secretSealed: string
  hasProofSecret: boolean
  kept: Record<string, string>
  registration: 'pending' | 'registered' | 'by_hand' | 'failed'
  registrationFailures: number
  version: number
  isDeleted: boolean
}

const columns = (sql: Sql): Fragment => sql`
  e.org_id as "orgId", e.id, e.connection_id as "connectionId", e.connector_slug as slug, e.name,
  e.project_id as "projectId", e.agent_id as "agentId", e.owner_id as "ownerId", e.status,
  e.paused_reason as "pausedReason", e.events, e.session_key as "sessionKey", e.reply, e.filter, e.fields,
  e.secret_sealed as "secretSealed", e.has_proof_secret as "hasProofSecret", e.kept, e.registration,
  e.registration_failures as "registrationFailures", e.version, e.deleted_at is not null as "isDeleted"`

/** Includes deleted endpoints, which a job cleans up. */
export async function findEndpointRow(sql: Sql, orgId: string, id: string): Promise<EndpointRow | null> {
  const [row] = await sql<EndpointRow[]>`
    select ${columns(sql)} from connector_endpoints e where e.org_id = ${orgId} and e.id = ${id}`
  return row ?? null
}

export const listOfConnection = (sql: Sql, orgId: string, connectionId: string) => sql<EndpointRow[]>`
  select ${columns(sql)} from connector_endpoints e
  where e.org_id = ${orgId} and e.connection_id = ${connectionId} and e.deleted_at is null order by e.id`

export async function lockEndpoint(sql: Sql, orgId: string, id: string): Promise<EndpointRow | null> {
  const [row] = await sql<EndpointRow[]>`
    select ${columns(sql)} from connector_endpoints e
    where e.org_id = ${orgId} and e.id = ${id} and e.deleted_at is null for no key update`
  return row ?? null
}

export async function findOwnConnection(sql: Sql, orgId: string, userId: string, id: string) {
  const [row] = await sql<{ slug: string; status: ConnectionStatus; label: string | null }[]>`
    select connector_slug as slug, status, label from connections
    where org_id = ${orgId} and id = ${id} and user_id = ${userId} and deleted_at is null`
  return row ?? null
}

/** Locks the connection, so that it isn't revoked meanwhile. */
export async function countEndpoints(sql: Sql, orgId: string, connectionId: string): Promise<number | null> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*)::int from connector_endpoints e where e.org_id = c.org_id and e.deleted_at is null) as count
    from connections c where c.org_id = ${orgId} and c.id = ${connectionId} and c.deleted_at is null for share of c`
  return row?.count ?? null
}

export type NewEndpoint = Omit<
  EndpointRow,
  'orgId' | 'status' | 'pausedReason' | 'kept' | 'registrationFailures' | 'version' | 'isDeleted'
> & { dueAt: Date | null; secretUntil: Date | null; now: Date }

export const insertEndpoint = (sql: Sql, orgId: string, row: NewEndpoint) => sql`
  with endpoint as (
    insert into connector_endpoints (org_id, id, connection_id, connector_slug, name, project_id, agent_id, owner_id, events,
      session_key, reply, filter, fields, secret_sealed, has_proof_secret, secret_until, registration, registration_due_at,
      created_at, updated_at)
    values (${orgId}, ${row.id}, ${row.connectionId}, ${row.slug}, ${row.name}, ${row.projectId}, ${row.agentId},
      ${row.ownerId}, ${row.events}, ${row.sessionKey}, ${row.reply}, ${row.filter}, ${sql.json(row.fields)},
      ${row.secretSealed}, ${row.hasProofSecret}, ${row.secretUntil}, ${row.registration}, ${row.dueAt}, ${row.now}, ${row.now})
    returning org_id, id
  )
  insert into connector_counts (org_id, endpoint_id) select org_id, id from endpoint`

type Settings = Pick<
  EndpointRow,
  | 'name'
  | 'projectId'
  | 'agentId'
  | 'events'
  | 'sessionKey'
  | 'reply'
  | 'filter'
  | 'fields'
  | 'status'
  | 'pausedReason'
  | 'secretSealed'
  | 'hasProofSecret'
>

export const updateSettings = (sql: Sql, orgId: string, id: string, row: Settings, now: Date) => sql`
  update connector_endpoints set name = ${row.name}, project_id = ${row.projectId}, agent_id = ${row.agentId},
    events = ${row.events}, session_key = ${row.sessionKey}, reply = ${row.reply}, filter = ${row.filter},
    fields = ${sql.json(row.fields)}, status = ${row.status}, paused_reason = ${row.pausedReason},
    secret_sealed = ${row.secretSealed}, has_proof_secret = ${row.hasProofSecret}, version = version + 1,
    updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

export interface StoredRegistration {
  kept: Record<string, string>
  /** Null keeps the stored one, which the provider may have sent meanwhile. */
  secretSealed: string | null
  dueAt: Date | null
  now: Date
}

/** The new version makes processes reread the endpoint. */
export const updateRegistered = (sql: Sql, orgId: string, id: string, row: StoredRegistration) => sql`
  update connector_endpoints set registration = 'registered', registration_error = null, registration_failures = 0,
    registration_due_at = ${row.dueAt}, registered_at = ${row.now}, kept = kept || ${sql.json(row.kept)},
    secret_sealed = coalesce(${row.secretSealed}, secret_sealed),
    has_proof_secret = has_proof_secret or ${row.secretSealed !== null}, version = version + 1, updated_at = ${row.now}
  where org_id = ${orgId} and id = ${id}`

/** The next registration may bring another secret. */
export const forgetProofSecret = (sql: Sql, orgId: string, id: string, sealed: string) => sql`
  update connector_endpoints set secret_sealed = ${sealed}, has_proof_secret = false, version = version + 1
  where org_id = ${orgId} and id = ${id}`

/** Until then, the provider may send its secret. No effect if the endpoint has one. */
export const openSecretWindow = (sql: Sql, orgId: string, id: string, until: Date) => sql`
  update connector_endpoints set secret_until = ${until}
  where org_id = ${orgId} and id = ${id} and not has_proof_secret`

export const clearRegistration = (
  sql: Sql,
  orgId: string,
  id: string,
  { forgetsSecret }: { forgetsSecret: boolean },
) => sql`
  update connector_endpoints set kept = '{}', registration = 'pending',
    has_proof_secret = has_proof_secret and not ${forgetsSecret}, version = version + 1
  where org_id = ${orgId} and id = ${id}`

export interface RegistrationFailure {
  error: string
  failures: number
  /** The endpoint gets no events, as far as known. Otherwise it still counts as registered. */
  isProblem: boolean
  dueAt: Date
  now: Date
}

export const updateRegistrationFailed = (
  sql: Sql,
  orgId: string,
  id: string,
  { error, failures, isProblem, dueAt, now }: RegistrationFailure,
) => sql`
  update connector_endpoints set registration = case when ${isProblem} then 'failed' else registration end,
    registration_error = ${error}, registration_failures = ${failures}, registration_due_at = ${dueAt}, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

/** The provider announced the registration's end. */
export const markRenewalDue = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update connector_endpoints set registration_due_at = ${now}
  where org_id = ${orgId} and id = ${id} and registration = 'registered' and registration_due_at > ${now}`

/** Values for later requests, such as a cursor. */
export const mergeKept = (sql: Sql, orgId: string, id: string, kept: Record<string, string>) => sql`
  update connector_endpoints set kept = kept || ${sql.json(kept)} where org_id = ${orgId} and id = ${id}`

export const updatePaused = (sql: Sql, orgId: string, id: string, reason: EndpointPause, now: Date) => sql`
  update connector_endpoints set status = 'paused', paused_reason = ${reason}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

/** Refuses further events immediately. */
export async function updateDeleted(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    update connector_endpoints set deleted_at = ${now}, version = version + 1, registration_due_at = null
    where org_id = ${orgId} and id = ${id} and deleted_at is null`
  return count === 1
}

export const deleteEndpointRow = (sql: Sql, orgId: string, id: string) => sql`
  with counts as (delete from connector_counts where org_id = ${orgId} and endpoint_id = ${id})
  delete from connector_endpoints where org_id = ${orgId} and id = ${id}`

const REGISTRATIONS_QUEUE: Queue = {
  table: 'connector_endpoints',
  key: ['id'],
  due: 'registration_due_at',
  indexedBy: 'due',
}

/** Only endpoints with a working connection. */
export const claimDue = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<{ orgId: string; id: string }>(sql, REGISTRATIONS_QUEUE, claim, {
    where: sql`t.deleted_at is null and exists (
      select from connections c
      where c.org_id = t.org_id and c.id = t.connection_id and c.status = 'active' and c.deleted_at is null)`,
    lease: sql`registration_due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id`,
  })

/** Falls back to the organization's owners if the member has left. */
export const listRecipients = (sql: Sql, orgId: string, ownerId: string) => sql<
  { userId: string; email: string; isVerified: boolean }[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified"
  from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and (m.user_id = ${ownerId} or (
    m.role = 'owner' and not exists (
      select from memberships own where own.org_id = ${orgId} and own.user_id = ${ownerId})))`
