import type { SourceAction, SourceKind } from '../../../../contract/knowledge/source-options.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import { notFound, viewOnly } from '../../../errors.ts'
import { isProjectVisible, projectAccess } from '../../projects/access/access.ts'
import { columns, type SourceRow, type SourceView, type SyncRow } from './records.ts'

/** For the source `s` in the project `p`. */
const viewColumns = (sql: Sql): Fragment => sql`
  ${columns(sql)}, p.name as "projectName", (
    select u.name from users u where u.id = any(array[s.owner_id]) order by u.id limit 1) as "ownerName", (
    select coalesce(c.label, c.account ->> 'name', c.account ->> 'email') from connections c
    where c.org_id = s.org_id and c.id = any(array[s.connection_id]) order by c.id limit 1) as "connectionLabel", (
    select to_jsonb(y) from (
      select ${syncColumns(sql)} from source_syncs y
      where y.org_id = s.org_id and y.source_id = any(array[s.id]) order by y.id desc limit 1) y) as sync`

const time = (sql: Sql, column: Fragment) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const syncColumns = (sql: Sql): Fragment => sql`
  y.id, y.trigger, y.outcome, y.error, y.added, y.changed, y.removed, y.skipped, y.bytes,
  ${time(sql, sql`y.started_at`)} as "startedAt", ${time(sql, sql`y.ended_at`)} as "endedAt"`

/** Throws NOT_FOUND unless the caller sees the project and, with `edit`, FORBIDDEN if the caller can only view it. */
export async function findSource(
  { sql, caller }: Context,
  id: string,
  to: 'view' | 'edit' = 'view',
): Promise<SourceView> {
  const [row] = await sql<SourceView[]>`
    select ${viewColumns(sql)}, a.access from knowledge_sources s
    join projects p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where s.org_id = ${caller.orgId} and s.id = ${id} and a.access is not null`
  if (!row) throw notFound('Source')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

interface Position {
  before: string | null
  limit: number
}

/** Newest first. */
export const listSources = (
  sql: Sql,
  caller: Caller,
  projectId: string | undefined,
  { before, limit }: Position,
) => sql<SourceView[]>`
  with page as materialized (
    select s.* from knowledge_sources s
    where s.org_id = ${caller.orgId} and ${isProjectVisible(sql, caller, sql`s.project_id`)}
      ${projectId ? sql`and s.project_id = ${projectId}` : sql``}
      ${before ? sql`and s.id < ${before}` : sql``}
    order by s.id desc limit ${limit}
  )
  select ${viewColumns(sql)}, p.access from page s cross join lateral (
    select p.name, ${projectAccess(sql, caller)} as access from projects p
    where p.org_id = s.org_id and p.id = any(array[s.project_id]) order by p.id limit 1
  ) p
  order by s.id desc`

export async function lockSource(sql: Sql, orgId: string, id: string): Promise<SourceRow | null> {
  const [row] = await sql<SourceRow[]>`
    select ${columns(sql)} from knowledge_sources s where s.org_id = ${orgId} and s.id = ${id} for update`
  return row ?? null
}

export async function countOfProject(sql: Sql, orgId: string, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from knowledge_sources where org_id = ${orgId} and project_id = ${projectId}`
  return row!.count
}

interface NewSource {
  id: string
  projectId: string
  folderId: string
  kind: SourceKind
  name: string
  settings: unknown
  connectionId: string | null
  intervalMinutes: number
  ownerId: string
  now: Date
}

export const insertSource = (sql: Sql, orgId: string, source: NewSource) => sql`
  insert into knowledge_sources (org_id, id, project_id, folder_id, kind, name, settings, connection_id,
    interval_minutes, enabled, next_sync_at, due_at, owner_id, created_by, created_at, updated_at)
  values (${orgId}, ${source.id}, ${source.projectId}, ${source.folderId}, ${source.kind}, ${source.name},
    ${sql.json(source.settings as never)}, ${source.connectionId}, ${source.intervalMinutes}, true, ${source.now},
    ${source.now}, ${source.ownerId}, ${source.ownerId}, ${source.now}, ${source.now})`

export interface SourceChange
  extends Pick<
    SourceRow,
    'id' | 'name' | 'settings' | 'connectionId' | 'intervalMinutes' | 'enabled' | 'ownerId'
  > {
  /** Another folder or account: everything is listed again. */
  isRetargeted: boolean
  isResumed: boolean
  dueAt: Date | null
  now: Date
}

/** Ends a worker's claim: what it syncs may have changed. */
export const updateSource = (sql: Sql, orgId: string, change: SourceChange) => sql`
  update knowledge_sources set name = ${change.name}, settings = ${sql.json(change.settings as never)},
    connection_id = ${change.connectionId}, interval_minutes = ${change.intervalMinutes}, enabled = ${change.enabled},
    owner_id = ${change.ownerId}, next_sync_at = ${change.dueAt}, due_at = ${change.dueAt}, lease = lease + 1
    ${change.isRetargeted ? sql`, cursor = null, progress = null` : sql``}
    ${change.enabled ? sql`` : sql`, progress = null`}
    ${
      change.isResumed
        ? sql`, paused_reason = null, paused_detail = null, paused_at = null, failures = 0, last_error = null`
        : sql``
    }, updated_at = ${change.now}
  where org_id = ${orgId} and id = ${change.id}`

/** A sync in progress continues. */
export const requestSync = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update knowledge_sources set requested = true,
    due_at = case when progress is null or failures > 0 then ${now}::timestamptz else due_at end,
    next_sync_at = case when progress is null or failures > 0 then ${now}::timestamptz else next_sync_at end
  where org_id = ${orgId} and id = ${id}`

export const deleteSource = (sql: Sql, orgId: string, id: string) => sql`
  delete from knowledge_sources where org_id = ${orgId} and id = ${id}`

export async function deleteProjectSources(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const items = await sql`
    delete from source_items where ctid = any(array(
      select i.ctid from knowledge_sources s
      join source_items i on i.org_id = s.org_id and i.source_id = s.id
      where s.org_id = ${orgId} and s.project_id = ${projectId} limit ${limit}))`
  if (items.count > 0) return items.count
  const { count } = await sql`
    delete from knowledge_sources where org_id = ${orgId} and project_id = ${projectId}`
  return count
}

export const listSyncs = (sql: Sql, orgId: string, sourceId: string, { before, limit }: Position) => sql<
  SyncRow[]
>`
  select ${syncColumns(sql)} from source_syncs y
  where y.org_id = ${orgId} and y.source_id = ${sourceId} ${before ? sql`and y.id < ${before}` : sql``}
  order by y.id desc limit ${limit}`

export interface LogRow {
  id: string
  syncId: string
  action: SourceAction
  path: string
  fileId: string | null
  reason: string | null
  createdAt: string
}

interface LogFilter {
  syncId?: string | undefined
  action?: SourceAction | undefined
}

export const listLog = (
  sql: Sql,
  orgId: string,
  sourceId: string,
  { syncId, action }: LogFilter,
  { before, limit }: Position,
) => sql<LogRow[]>`
  select l.id, l.sync_id as "syncId", l.action, l.path, l.file_id as "fileId", l.reason, l.created_at as "createdAt"
  from source_log l
  where l.org_id = ${orgId} and l.source_id = ${sourceId}
    ${syncId ? sql`and l.sync_id = ${syncId}` : sql``} ${action ? sql`and l.action = ${action}` : sql``}
    ${before ? sql`and l.id < ${before}` : sql``}
  order by l.id desc limit ${limit}`

/** Falls back to the organization's owners if the member has left. */
export const listRecipients = (sql: Sql, orgId: string, ownerId: string) => sql<
  { userId: string; email: string; isVerified: boolean }[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified" from memberships m
  join users u on u.id = m.user_id
  where m.org_id = ${orgId} and (m.user_id = ${ownerId} or (
    m.role = 'owner' and not exists (
      select from memberships own where own.org_id = ${orgId} and own.user_id = ${ownerId})))`

export interface ReaderRow {
  visibility: 'team' | 'private'
  creator: string
  admins: number
  workspaces: { name: string; count: number }[]
  hasGuests: boolean
}

/** For the project `projectId`, which the caller sees. */
export async function findReaders(sql: Sql, orgId: string, projectId: string, now: Date) {
  const [row] = await sql<ReaderRow[]>`
    select p.visibility, (select u.name from users u where u.id = p.user_id) as creator,
      (select count(*)::int from memberships m where m.org_id = p.org_id and m.role <> 'member') as admins,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', w.name, 'count', (
          select count(*) from workspace_members x where x.org_id = w.org_id and x.workspace_id = w.id)) order by w.name)
        from project_workspaces l join workspaces w on w.org_id = l.org_id and w.id = l.workspace_id
        where l.org_id = p.org_id and l.project_id = p.id and w.deleted_at is null), '[]') as workspaces,
      exists (select from project_shares g where g.org_id = p.org_id and g.project_id = p.id
        and (g.expires_at is null or g.expires_at > ${now})) as "hasGuests"
    from projects p where p.org_id = ${orgId} and p.id = ${projectId}`
  return row!
}

export const SOURCES_CHANNEL = 'atrium_sources'

export const wakeWorkers = (sql: Sql): void => notify(sql, SOURCES_CHANNEL)

export const endSync = (
  sql: Sql,
  orgId: string,
  syncId: string,
  { outcome, error, now }: { outcome: 'succeeded' | 'failed' | 'paused'; error: string | null; now: Date },
) => sql`
  update source_syncs set outcome = ${outcome}, error = ${error}, ended_at = ${now}
  where org_id = ${orgId} and id = ${syncId} and outcome = 'running'`

export async function findSync(sql: Sql, orgId: string, id: string): Promise<SyncRow | null> {
  const [row] = await sql<SyncRow[]>`
    select ${syncColumns(sql)} from source_syncs y where y.org_id = ${orgId} and y.id = ${id}`
  return row ?? null
}
