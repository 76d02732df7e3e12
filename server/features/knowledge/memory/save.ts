import { isDeepStrictEqual } from 'node:util'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { requireEdit, resolveProjectId } from './access.ts'
import * as queries from './queries.ts'
import { announce } from './record-change.ts'
import { type Draft, present } from './records.ts'
import { resolveWriter, type WriterWithTrust } from './writer.ts'

/** An untrusted run's text becomes a proposal for a user to decide. */
export const saveMemory = (
  ctx: Context<'quotas'>,
  { scope, projectId, ...draft }: InputOf<typeof memory.create>,
) =>
  ctx.transaction(async (inside) => {
    const project = await resolveProjectId(inside, { scope, projectId })
    await requireEdit(inside, project)
    const writer = await resolveWriter(inside, project)
    const { id, outcome } = writer.isTrusted
      ? await putMemory(inside, project, draft, { writer, change: 'updated' })
      : await proposeMemory(inside, project, draft, writer)
    const row = await queries.findMemory(inside.sql, ctx.caller, id)
    return reply(present(row!), { status: outcome === 'created' ? 201 : 200 })
  })

export interface SaveResult {
  id: string
  version: number
  outcome: 'created' | 'replaced' | 'unchanged'
}

type Reason = Pick<queries.NewText, 'writer'> & { change: 'updated' | 'accepted' | 'imported' }

export async function putMemory(
  ctx: Context<'quotas'>,
  projectId: string | null,
  draft: Draft,
  { writer, change }: Reason,
): Promise<SaveResult> {
  const { orgId } = ctx.caller
  const text = { ...draft, writer, restoredFrom: null, now: ctx.now() }
  const existing = await queries.lockByKey(ctx.sql, orgId, projectId ?? orgId, draft.key)
  if (existing) return replaceText(ctx, projectId, existing, { ...text, change })
  const id = newId()
  await ctx.quotas.reserve(ctx.sql, orgId, { memories: 1 })
  const memory = { ...text, id, projectId, status: 'active' as const, originProjectId: null }
  const isNew = await queries.insertMemory(ctx.sql, orgId, {
    ...memory,
    change: change === 'updated' ? 'created' : change,
  })
  // Another call created it meanwhile. Its text is committed, so the next attempt replaces it.
  if (!isNew) throw conflict('Another call saved a memory with this key at the same time: try again')
  await announce(ctx, 'memory.created', { id, projectId, runId: writer.runId })
  return { id, version: 1, outcome: 'created' }
}

export async function replaceText(
  ctx: Context,
  projectId: string | null,
  before: queries.ActiveMemory,
  text: queries.NewText,
): Promise<SaveResult> {
  const { id, version } = before
  const isSame = (['key', 'content', 'tags'] as const).every((field) =>
    isDeepStrictEqual(before[field], text[field]),
  )
  if (isSame) return { id, version, outcome: 'unchanged' }
  await queries.updateText(ctx.sql, ctx.caller.orgId, before, text)
  const versionData = { version: version + 1, change: text.change }
  await announce(ctx, 'memory.updated', { id, projectId, runId: text.writer.runId }, versionData)
  return { id, version: version + 1, outcome: 'replaced' }
}

/** Beside the memory, where no prompt or agent search finds it. */
async function proposeMemory(
  ctx: Context<'quotas'>,
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
      `This run has ${MEMORY_LIMITS.proposals} proposed memories: a member has to decide on them first`,
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
