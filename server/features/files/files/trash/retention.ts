import type { InputOf } from '../../../../../contract/endpoint.ts'
import { type fileRetention, VERSION_DAYS_DEFAULT } from '../../../../../contract/files/retention.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { removeUnownedObjects } from '../objects.ts'
import { lockTree } from '../tree/folder-queries.ts'
import { deleteVersions, isReplacedBefore, listReplaced, listReplacedByDefault } from '../versions/queries.ts'
import { deletePermanently } from './purge.ts'
import { type Amount, selectAmount, trashedFiles } from './queries.ts'

const NOTHING = { entries: 0, files: 0, bytes: 0 }

export const get = ({ sql, caller }: Context) => readRetention(sql, caller.orgId)

export async function effect(ctx: Context, change: InputOf<typeof fileRetention.effect>) {
  const { sql, caller, now } = ctx
  const { trashDays, versionDays } = mergeChange(await readRetention(sql, caller.orgId), change)
  const sum = (days: number | null, sumBefore: typeof sumTrashedBefore) =>
    days === null ? NOTHING : sumBefore(sql, caller.orgId, ageLimit(now(), days))
  return {
    trash: await sum(trashDays, sumTrashedBefore),
    versions: await sum(versionDays, sumReplacedBefore),
  }
}

export const update = (ctx: Context, change: InputOf<typeof fileRetention.update>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const after = mergeChange(await readRetention(sql, caller.orgId), change)
    await upsertRetention(sql, caller.orgId, { ...after, by: caller.userId, now: ctx.now() })
    const details = { trashDays: daysText(after.trashDays), versionDays: daysText(after.versionDays) }
    await recordAudit(inside, {
      action: 'files.retention-changed',
      by: caller,
      target: caller.orgId,
      details,
    })
    return readRetention(sql, caller.orgId)
  })

const daysText = (days: number | null) => (days === null ? 'never' : String(days))

interface Change {
  trashDays?: number | null | undefined
  versionDays?: number | null | undefined
}

const mergeChange = (before: { trashDays: number | null; versionDays: number | null }, change: Change) => ({
  trashDays: change.trashDays === undefined ? before.trashDays : change.trashDays,
  versionDays: change.versionDays === undefined ? before.versionDays : change.versionDays,
})

export const BATCH = 500
const DAY_MS = 86_400_000

export const ageLimit = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** A failure doesn't stop the rest, and the job is retried. */
export async function applyRetention(ctx: JobContext): Promise<void> {
  const failures: unknown[] = []
  const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error))
  await attempt(deleteVersionsByDefault(ctx))
  for (const { orgId, updatedBy, trashDays, versionDays } of await listRetentions(ctx.sql)) {
    if (versionDays !== null) await attempt(deleteVersionsOf(ctx, orgId, ageLimit(ctx.now(), versionDays)))
    if (trashDays === null) continue
    const before = ageLimit(ctx.now(), trashDays)
    for await (const outdated of outdatedOf(ctx, orgId, before))
      await attempt(purgeOutdated(ctx, { orgId, updatedBy, before }, outdated))
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deletions failed`)
}

async function deleteVersionsByDefault(ctx: JobContext): Promise<void> {
  const before = ageLimit(ctx.now(), VERSION_DAYS_DEFAULT)
  for (;;) {
    const replaced = await listReplacedByDefault(ctx.sql, before, BATCH)
    for (const [orgId, versions] of Map.groupBy(replaced, (version) => version.orgId))
      await deleteAll(ctx, orgId, versions)
    if (replaced.length < BATCH) return
  }
}

async function deleteVersionsOf(ctx: JobContext, orgId: string, before: Date): Promise<void> {
  for (;;) {
    const replaced = await listReplaced(ctx.sql, orgId, before, BATCH)
    if (replaced.length > 0) await deleteAll(ctx, orgId, replaced)
    if (replaced.length < BATCH) return
  }
}

const deleteAll = (ctx: JobContext, orgId: string, versions: { id: string }[]) =>
  ctx.transaction(async (inside) => {
    const ids = versions.map(({ id }) => id)
    await removeUnownedObjects(inside, orgId, await deleteVersions(inside.sql, orgId, ids))
  })

async function* outdatedOf(ctx: JobContext, orgId: string, before: Date): AsyncGenerator<OutdatedFile> {
  let after: OutdatedFile | undefined
  do {
    const page: OutdatedFile[] = await listTrashedBefore(ctx.sql, orgId, { before, after, limit: BATCH })
    yield* page
    after = page.length === BATCH ? page.at(-1) : undefined
  } while (after)
}

interface Expiry {
  orgId: string
  updatedBy: string
  before: Date
}

const purgeOutdated = (ctx: JobContext, { orgId, updatedBy, before }: Expiry, { id }: OutdatedFile) =>
  ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'change')
    const row = await findTrashedBefore(inside.sql, orgId, id, before)
    if (row) await deletePermanently(inside, row, { orgId, userId: updatedBy, via: 'system' })
  })

/** Null: nothing is deleted because of its age. */
interface Retention {
  trashDays: number | null
  versionDays: number | null
}

interface StoredRetention extends Retention {
  updatedBy: string | null
  updatedAt: string | null
}

const DEFAULTS: StoredRetention = {
  trashDays: null,
  versionDays: VERSION_DAYS_DEFAULT,
  updatedBy: null,
  updatedAt: null,
}

export async function readRetention(sql: Sql, orgId: string): Promise<StoredRetention> {
  const [row] = await sql<StoredRetention[]>`
    select trash_days as "trashDays", version_days as "versionDays", updated_by as "updatedBy", updated_at as "updatedAt"
    from file_retention where org_id = ${orgId}`
  return row ?? DEFAULTS
}

async function upsertRetention(
  sql: Sql,
  orgId: string,
  { trashDays, versionDays, by, now }: Retention & { by: string; now: Date },
): Promise<void> {
  await sql`
    insert into file_retention (org_id, trash_days, version_days, updated_by, updated_at)
    values (${orgId}, ${trashDays}, ${versionDays}, ${by}, ${now})
    on conflict (org_id) do update set trash_days = excluded.trash_days, version_days = excluded.version_days,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at`
}

export const listRetentions = (sql: Sql) => sql<(Retention & { orgId: string; updatedBy: string })[]>`
  select org_id as "orgId", trash_days as "trashDays", version_days as "versionDays", updated_by as "updatedBy"
  from file_retention order by org_id`

async function sumTrashedBefore(sql: Sql, orgId: string, before: Date): Promise<Amount> {
  const [row] = await sql<Amount[]>`
    with roots as materialized (
      select f.id, f.source, f.size from ${trashedFiles(sql, orgId)} and ${isOutdated(sql, orgId, before)}
    ) ${selectAmount(sql, orgId)}`
  return row!
}

async function sumReplacedBefore(sql: Sql, orgId: string, before: Date): Promise<Amount> {
  const [row] = await sql<Amount[]>`
    select count(*)::int as entries, count(*)::int as files, coalesce(sum(v.size), 0)::bigint as bytes
    from file_versions v where v.org_id = ${orgId} and ${isReplacedBefore(sql, before)}`
  return row!
}

export interface OutdatedFile {
  id: string
  name: string
  source: 'upload' | 'folder' | 'link'
  projectId: string | null
  deletedAt: string
}

export const listTrashedBefore = (
  sql: Sql,
  orgId: string,
  { before, after, limit }: { before: Date; after: OutdatedFile | undefined; limit: number },
) => sql<OutdatedFile[]>`
  select f.id, f.name, f.source, p.project_id as "projectId", f.deleted_at as "deletedAt"
  from ${trashedFiles(sql, orgId)} and ${isOutdated(sql, orgId, before)}
    ${after ? sql`and (f.deleted_at, f.id) > (${after.deletedAt}::timestamptz, ${after.id}::uuid)` : sql``}
  order by f.deleted_at, f.id limit ${limit}`

/** Rereads under the tree lock, because the file may have been restored. */
export async function findTrashedBefore(
  sql: Sql,
  orgId: string,
  id: string,
  before: Date,
): Promise<OutdatedFile | null> {
  const [row] = await sql<OutdatedFile[]>`
    select f.id, f.name, f.source, p.project_id as "projectId", f.deleted_at as "deletedAt"
    from ${trashedFiles(sql, orgId)} and f.id = ${id} and ${isOutdated(sql, orgId, before)}`
  return row ?? null
}

/** Deleted projects are restored or purged with their folder and its trash. */
const isOutdated = (sql: Sql, orgId: string, before: Date) => sql`
  f.deleted_at < ${before} and (p.project_id is null or exists (
    select from folders top where top.org_id = ${orgId} and top.project_id = p.project_id
      and cardinality(top.path) = 2 and top.trashed_by is null))`
