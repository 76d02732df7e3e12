import { z } from 'zod'
import { EXPORT_DAYS } from '../../../contract/organizations/lifecycle-options.ts'
import type { JobContext } from '../../context.ts'
import { publishIn } from '../../events/publish.ts'
import { job } from '../../jobs/job.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { removeContent, storeContent } from '../files/files.ts'
import { archiveOf, type ExportProgress } from './archive.ts'
import * as queries from './export-queries.ts'

const DAY_MS = 86_400_000
const PROGRESS_EVERY_MS = 1000
const EXPIRED_MAX = 100

/** The organization has another name here than in payloads of its own jobs, which wait while it is suspended. */
const Requested = z.object({ exportId: z.string(), subjectId: z.string() })

export const makeExport = job('organization-exports.make', Requested, { lane: 'bulk', maxAttempts: 3 })
const removeExpired = job('organization-exports.remove-expired', z.object({}), { lane: 'bulk' })

async function make(ctx: JobContext, orgId: string, id: string): Promise<void> {
  if (!(await queries.updateRunning(ctx.sql, orgId, id))) return
  try {
    const progress = createProgress((state) => queries.updateProgress(ctx.sql, orgId, id, state))
    const key = await storeContent(
      ctx,
      orgId,
      counted(archiveOf(ctx, orgId, progress.report), progress.addBytes),
    )
    const bytes = await progress.end()
    const now = ctx.now()
    const made = { key, bytes, now, expiresAt: new Date(now.getTime() + EXPORT_DAYS * DAY_MS) }
    await ctx.transaction(async ({ sql }) => {
      if (!(await queries.updateReady(sql, orgId, id, made))) return
      const data = { organizationId: orgId, exportId: id }
      await publishIn(sql, orgId, now, { type: 'organization.exported', data })
    })
  } catch (error) {
    await queries.updateFailed(
      ctx.sql,
      orgId,
      id,
      'The export failed. The log of the server says why.',
      ctx.now(),
    )
    throw error
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, add: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    add(chunk.length)
    yield chunk
  }
}

/** Writes the state of the export at most once a second, one write at a time. */
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
      // The next one shows it: a state that could not be written ends no export.
      writing = writing.then(() => write(current)).then(undefined, () => {})
    },
    addBytes: (count: number) => {
      bytes += count
    },
    /** Writes the last state, and returns the size. */
    async end(): Promise<number> {
      await writing
      await write({ ...state, bytes })
      return bytes
    },
  }
}

/** The bytes first: an export whose bytes are gone is found again. */
async function expire(ctx: JobContext): Promise<void> {
  for (const { orgId, id, key } of await queries.listExpired(ctx.sql, ctx.now(), EXPIRED_MAX)) {
    await removeContent(ctx, orgId, key)
    await queries.updateExpired(ctx.sql, orgId, id)
  }
}

export const exportJobs = [
  onJob(makeExport, (ctx, { exportId, subjectId }) => make(ctx, subjectId, exportId)),
  onJob(removeExpired, expire),
]
export const exportSchedules = [{ job: removeExpired, cron: '31 * * * *' }]
