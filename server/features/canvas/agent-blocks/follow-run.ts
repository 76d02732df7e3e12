import type { Context, JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { findResultText } from '../../agents/runs/runs.ts'
import { lockForRuntime } from '../../projects/projects/projects.ts'
import { listBlocksById, writeCanvas } from '../canvas/canvas.ts'
import { findBlockRun } from './queries.ts'
import { metadataForRun, runtimeCaller } from './state.ts'

/**
 * Locks the canvas before reading the run, so that the later job writes the newer state. Skips a block that was
 * deleted, changed type or shows a later run.
 */
export const followRun = (ctx: JobContext<'quotas'>, { orgId, runId }: { orgId: string; runId: string }) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const runBeforeLock = await findBlockRun(sql, orgId, runId)
    const project = runBeforeLock && (await lockForRuntime(sql, orgId, runBeforeLock.projectId))
    if (!project) return
    const run = (await findBlockRun(sql, orgId, runId))!
    const [block] = await listBlocksById(sql, orgId, project.id, [run.blockId])
    if (block?.type !== 'agent' || isLater(block.metadata.runId, runId)) return
    const answer = run.status === 'succeeded' ? ((await findResultText(sql, orgId, runId)) ?? '') : null
    const write = (text: string | null) =>
      writeCanvas(
        { ...inside, caller: runtimeCaller(orgId, run) } as Context<'quotas'>,
        project,
        { update: { blocks: [{ id: block.id, metadata: metadataForRun(block.metadata, run, text) }] } },
        { isRuntime: true, publishEvents: run.finishedAt !== null && project.deletedAt === null },
      )
    try {
      await write(answer)
    } catch (error) {
      // The canvas is full. The conversation has the answer.
      if (!(error instanceof ApiError) || answer === null) throw error
      await write('')
    }
  })

/** Ids are ordered by time. */
const isLater = (shown: unknown, runId: string) => typeof shown === 'string' && shown > runId
