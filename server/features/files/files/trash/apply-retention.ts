import { z } from 'zod'
import { VERSION_DAYS_DEFAULT } from '../../../../../contract/files/retention.ts'
import type { JobContext } from '../../../../context.ts'
import { job } from '../../../../jobs/job.ts'
import { onJob } from '../../../../jobs/job-handler.ts'
import { lockTree } from '../tree/folder-queries.ts'
import { deleteVersions, listReplaced, listReplacedByDefault } from '../versions/queries.ts'
import { deletePermanently, removeUnownedObjects } from './purge.ts'
import { findTrashedBefore, listRetentions, listTrashedBefore, type OutdatedFile } from './retention.ts'

const BATCH = 500
const DAY_MS = 86_400_000

export const ageLimit = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Deletes trashed files and versions past the retention of each organization. A failure does not stop the rest; the job is retried. */
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

/** Deletes the old versions of organizations without a retention setting. */
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
  /** The admin who set the retention. */
  updatedBy: string
  before: Date
}

const purgeOutdated = (ctx: JobContext, { orgId, updatedBy, before }: Expiry, { id }: OutdatedFile) =>
  ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'change')
    const row = await findTrashedBefore(inside.sql, orgId, id, before)
    if (row) await deletePermanently(inside, row, { orgId, userId: updatedBy, via: 'system' })
  })

/** Deletes files in the trash and replaced versions whose retention has ended. */
const deleteOutdated = job('files.apply-retention', z.object({}), { lane: 'bulk' })

export const retentionJobs = [onJob(deleteOutdated, applyRetention)]
export const retentionSchedules = [{ job: deleteOutdated, cron: '23 4 * * *' }]
