import { isDeepStrictEqual } from 'node:util'
import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import type { Context } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import * as queries from './queries.ts'
import { announce } from './record-change.ts'
import type { Draft } from './records.ts'
import type { WriterWithTrust } from './writer.ts'

/** Stores the proposal of a run beside the memory, where no prompt and no search of an agent finds it. */
export async function proposeMemory(
  ctx: Context,
  projectId: string | null,
  draft: Draft,
  writer: WriterWithTrust,
): Promise<{ id: string; outcome: 'created' | 'replaced' | 'unchanged' }> {
  const { orgId } = ctx.caller
  const runId = writer.runId!
  const text = { ...draft, writer, change: 'created' as const, restoredFrom: null, now: ctx.now() }
  const existing = await lockExisting(ctx, runId, projectId ?? orgId, draft.key)
  if (existing) {
    if (isDeepStrictEqual([existing.content, existing.tags], [draft.content, draft.tags]))
      return { id: existing.id, outcome: 'unchanged' }
    await queries.updateText(ctx.sql, orgId, existing, { ...text, change: 'updated' })
    return { id: existing.id, outcome: 'replaced' }
  }
  if ((await queries.countProposals(ctx.sql, orgId, runId)) >= MEMORY_LIMITS.proposals)
    throw conflict(
      `This run has ${MEMORY_LIMITS.proposals} proposed memories: a person has to decide about them first`,
    )
  await ctx.quotas.reserve(ctx.sql, orgId, { memories: 1 })
  const id = newId()
  const { originProjectId } = writer
  await queries.insertMemory(ctx.sql, orgId, { ...text, id, projectId, status: 'proposed', originProjectId })
  await announce(ctx, 'memory.proposed', { id, projectId, runId })
  return { id, outcome: 'created' }
}

async function lockExisting({ sql, caller }: Context, runId: string, spaceId: string, key: string) {
  const [row] = await sql<queries.ActiveMemory[]>`
    select m.id, m.key, m.content, m.tags, m.version from memories m
    where m.org_id = ${caller.orgId} and m.run_id = ${runId} and m.space_id = ${spaceId} and m.key = ${key}
      and m.status = 'proposed' for no key update`
  return row ?? null
}
