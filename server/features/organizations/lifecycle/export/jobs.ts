import { z } from 'zod'
import { EXPORT_DAYS, EXPORTS_MAX } from '../../../../../contract/organizations/lifecycle-options.ts'
import type { JobContext } from '../../../../context.ts'
import { publishIn } from '../../../../events/publish.ts'
import { job } from '../../../../jobs/job.ts'
import { onJob } from '../../../../jobs/job-handler.ts'
import { claimContent, discardObject, removeContent, storeContent } from '../../../files/files/files.ts'
import { type ExportProgress, streamArchive } from './archive.ts'
import * as queries from './export-queries.ts'

const DAY_MS = 86_400_000
const PROGRESS_EVERY_MS = 1000
const EXPIRED_MAX = 100
const FAILED = 'The export failed. The server log has the reason.'
const ABANDONED = 'The export was interrupted too often.'

/** Not `orgId`: an organization's own jobs wait while it's suspended. */
const ExportPayload = z.object({ exportId: z.string(), subjectId: z.string() })

export const makeExport = job('organization-exports.make', ExportPayload, { lane: 'bulk', maxAttempts: 3 })
const removeExpired = job('organization-exports.remove-expired', z.object({}), { lane: 'bulk' })

async function make(ctx: JobContext<'objects'>, orgId: string, id: string): Promise<void> {
  if (!(await queries.updateRunning(ctx.sql, orgId, id))) return
  try {
    const progress = createProgress((state) => queries.updateProgress(ctx.sql, orgId, id, state))
    const key = await storeContent(
      ctx,
      orgId,
      countBytes(streamArchive(ctx, orgId, progress.report), progress.addBytes),
    )
    const bytes = await progress.end()
    await finish(ctx, orgId, { id, key, bytes })
  } catch (error) {
    await queries.updateFailed(ctx.sql, orgId, id, FAILED, ctx.now())
    throw error
  }
}

/** If the organization was erased meanwhile, no row references the archive, so it's removed. */
async function finish(ctx: JobContext<'objects'>, orgId: string, { id, key, bytes }: Archive): Promise<void> {
  const now = ctx.now()
  const finished = { key, bytes, now, expiresAt: new Date(now.getTime() + EXPORT_DAYS * DAY_MS) }
  let isReady = false
  try {
    isReady = await ctx.transaction(async (inside) => {
      if (!(await queries.updateReady(inside.sql, orgId, id, finished))) return false
      await claimContent(inside, orgId, key)
      const { count } = await queries.updateSurplus(inside.sql, orgId, id, { kept: EXPORTS_MAX, now })
      if (count > 0) await inside.enqueue(removeExpired, {})
      const data = { organizationId: orgId, exportId: id }
      await publishIn(inside.sql, orgId, now, { type: 'organization.exported', data })
      return true
    })
  } finally {
    if (!isReady) await discardObject(ctx, orgId, key)
  }
}

interface Archive {
  id: string
  key: string
  bytes: number
}

async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  add: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    add(chunk.length)
    yield chunk
  }
}

function createProgress(write: (state: ExportProgress) => PromiseLike<unknown>) {
  let state: ExportProgress = { tables: 0, tablesTotal: 0, rows: 0, files: 0, filesTotal: 0, bytes: 0 }
  let bytes = 0
  let writtenAt = 0
  let writing: PromiseLike<unknown> = Promise.resolve()
  return {
    report: (next: Omit<ExportProgress, 'bytes'>): void => {
      state = { ...next, bytes }
      if (performance.now() - writtenAt < PROGRESS_EVERY_MS) return
      writtenAt = performance.now()
      const current = state
      // A failed write is ignored, as the next has newer state.
      writing = writing.then(() => write(current)).then(undefined, () => {})
    },
    addBytes: (count: number) => {
      bytes += count
    },
    async end(): Promise<number> {
      await writing
      await write({ ...state, bytes })
      return bytes
    },
  }
}

/**
 * Bytes go before the row changes, so an interrupted job finds the export again. Removes nothing while a backup runs.
 */
async function expire(ctx: JobContext<'objects'>): Promise<void> {
  await queries.updateAbandoned(ctx.sql, ABANDONED, ctx.now())
  for (const { orgId, id, key } of await queries.listExpired(ctx.sql, ctx.now(), EXPIRED_MAX)) {
    if (!(await removeContent(ctx, orgId, key))) return
    await queries.updateExpired(ctx.sql, orgId, id)
  }
}

export const exportJobs = [
  onJob(makeExport, (ctx, { exportId, subjectId }) => make(ctx, subjectId, exportId)),
  onJob(removeExpired, expire),
]
export const exportSchedules = [{ job: removeExpired, cron: '31 * * * *' }]
