import type { Caller, Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { requireEdit } from './access.ts'
import { lockByKey, updateText } from './queries.ts'
import { announce } from './record-change.ts'
import { type Draft, isMemoryVisible } from './records.ts'

export interface MemoryUndo {
  memory: WrittenMemory
  action: 'reverted' | 'recreated' | 'removed' | 'skipped'
  reason: 'edited_since' | 'purged' | 'in_use' | null
}

/** The caller must be able to change every affected memory. */
export async function planMemoryUndo(
  ctx: Context,
  runIds: readonly string[],
  { lock }: { lock: boolean },
): Promise<MemoryUndo[]> {
  const plans: MemoryUndo[] = []
  for (const memory of await listWritten(ctx.sql, ctx.caller.orgId, runIds, { lock })) {
    await requireEdit(ctx, memory.projectId)
    const plan = await planOne(ctx, memory)
    if (plan) plans.push(plan)
  }
  return plans
}

async function planOne(ctx: Context, memory: WrittenMemory): Promise<MemoryUndo | null> {
  const { before, current, isEdited, isForgotten } = memory
  if (isForgotten) return { memory, action: 'skipped', reason: 'purged' }
  if (before === null && current === null) return null
  if (before !== null && (await isKeyTaken(ctx, memory, before.key)))
    return { memory, action: 'skipped', reason: 'in_use' }
  const action = before === null ? 'removed' : current === null ? 'recreated' : 'reverted'
  return { memory, action, reason: isEdited ? 'edited_since' : null }
}

async function isKeyTaken(
  { sql, caller: { orgId } }: Context,
  { id, projectId, isProposal }: WrittenMemory,
  key: string,
): Promise<boolean> {
  if (isProposal) return false
  const other = await lockByKey(sql, orgId, projectId ?? orgId, key)
  return other !== null && other.id !== id
}

/** Versions have the undo's run id, so it can be undone too. */
export async function applyMemoryUndo(
  ctx: Context,
  plans: readonly MemoryUndo[],
  undoRunId: string,
): Promise<void> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const now = ctx.now()
  const writer = { source: 'person' as const, userId, runId: undoRunId }
  for (const { memory, action } of plans) {
    if (action === 'skipped') continue
    const { id, projectId, version, isProposal, before, current } = memory
    const change = action === 'removed' ? ('removed' as const) : ('restored' as const)
    const text = { ...(before ?? current)!, change, restoredFrom: null, writer, now }
    if (action !== 'reverted')
      await updateExistence(sql, orgId, id, { exists: action === 'recreated', isProposal, by: userId, now })
    await updateText(sql, orgId, { id, version }, text)
    const changed = { id, projectId, runId: undoRunId }
    if (action === 'removed') await announce(ctx, 'memory.deleted', changed)
    else await announce(ctx, 'memory.updated', changed, { version: version + 1, change })
  }
}

export async function listMemoryChanges(
  ctx: Context,
  runIds: readonly string[],
  { after, limit }: { after: string | null; limit: number },
) {
  const page = { caller: ctx.caller, after, limit }
  const rows = await listWritten(ctx.sql, ctx.caller.orgId, runIds, { page })
  return rows.map(({ id, projectId, before, after: written }) => ({
    id,
    projectId,
    name: (written ?? before)?.key ?? null,
    action:
      before === null ? ('created' as const) : written === null ? ('deleted' as const) : ('updated' as const),
    before: before && { ...before },
    after: written && { ...written },
  }))
}

/** Null: it didn't exist. */
interface WrittenMemory {
  id: string
  projectId: string | null
  isProposal: boolean
  version: number
  before: Draft | null
  after: Draft | null
  current: Draft | null
  isForgotten: boolean
  isEdited: boolean
}

interface Page {
  caller: Caller
  after: string | null
  limit: number
}

/**
 * A `removed` version ends a memory without deleting its row, so an undo can be undone. Excludes decided proposals: an
 * accepted one is a version of the memory.
 */
const listWritten = (
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  { page, lock = false }: { page?: Page; lock?: boolean },
) => sql<WrittenMemory[]>`
  with written as (
    select memory_id, min(version) as first, max(version) as last from memory_versions
    where org_id = ${orgId} and run_id = any(${runIds as string[]}::uuid[])
      and ${page?.after ? sql`memory_id > ${page.after}` : sql`true`}
    group by memory_id order by memory_id
  )
  select m.id, m.project_id as "projectId", m.origin_project_id is not null as "isProposal", m.version,
    m.version > w.last as "isEdited", w.first > 1 and b.version is null as "isForgotten",
    case when b.change <> 'removed' then json_build_object('key', b.key, 'content', b.content, 'tags', b.tags) end as before,
    case when a.change <> 'removed' then json_build_object('key', a.key, 'content', a.content, 'tags', a.tags) end as after,
    case when m.status in ('active', 'proposed') then
      json_build_object('key', m.key, 'content', m.content, 'tags', m.tags) end as current
  from written w
  join memories m on m.org_id = ${orgId} and m.id = w.memory_id
  join memory_versions a on a.org_id = ${orgId} and a.memory_id = m.id and a.version = w.last
  left join memory_versions b on b.org_id = ${orgId} and b.memory_id = m.id and b.version = w.first - 1
  where ${page ? isMemoryVisible(sql, page.caller) : sql`true`} and (m.status in ('active', 'proposed') or exists (
    select from memory_versions r
    where r.org_id = ${orgId} and r.memory_id = m.id and r.version = m.version and r.change = 'removed'))
  order by m.id ${page ? sql`limit ${page.limit}` : sql``} ${lock ? sql`for no key update of m` : sql``}`

const updateExistence = (
  sql: Sql,
  orgId: string,
  id: string,
  { exists, isProposal, by, now }: { exists: boolean; isProposal: boolean; by: string; now: Date },
) => sql`
  update memories set status = ${exists ? (isProposal ? 'proposed' : 'active') : 'rejected'},
    decided_by = ${exists ? null : by}, decided_at = ${exists ? null : now}
  where org_id = ${orgId} and id = ${id}`
