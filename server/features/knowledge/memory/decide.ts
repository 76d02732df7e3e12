import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context, JobContext } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { isDecided, lockForChange } from './access.ts'
import * as queries from './queries.ts'
import { announce, audit } from './record-change.ts'
import { type MemoryRow, present } from './records.ts'
import { putMemory, replaceText } from './save.ts'
import { personWriter } from './writer.ts'

export const acceptMemory = (ctx: Context<'quotas'>, { id }: InputOf<typeof memory.accept>) =>
  ctx.transaction(async (inside) => present(await acceptLocked(inside, await lockProposal(inside, id))))

export const rejectMemory = (ctx: Context, { id }: InputOf<typeof memory.reject>) =>
  ctx.transaction(async (inside) => {
    const row = await lockProposal(inside, id)
    const decision = { status: 'rejected' as const, by: ctx.caller.userId, at: ctx.now() }
    await queries.updateDecision(inside.sql, ctx.caller.orgId, id, decision)
    await announce(inside, 'memory.decided', row, { decision: 'rejected' })
    await audit(inside, 'memory.rejected', row)
    return present(row)
  })

async function lockProposal(ctx: Context, id: string): Promise<MemoryRow> {
  const row = await lockForChange(ctx, { id }, { decided: 'allowed' })
  if (row.status === 'proposed') return row
  throw conflict(isDecided(row) ? 'The proposal was decided already' : 'The memory is not a proposal')
}

export async function acceptLocked(ctx: Context<'quotas'>, row: MemoryRow): Promise<MemoryRow> {
  const { sql, caller } = ctx
  const { key, content, tags } = row
  const writer = { source: row.source, userId: row.by?.id ?? caller.userId, runId: row.runId }
  const saved = await putMemory(ctx, row.projectId, { key, content, tags }, { writer, change: 'accepted' })
  const acceptance = { acceptedAs: saved.id, acceptedVersion: saved.version }
  const decision = { status: 'accepted' as const, by: caller.userId, at: ctx.now(), ...acceptance }
  await queries.updateDecision(sql, caller.orgId, row.id, decision)
  await announce(ctx, 'memory.decided', row, { decision: 'accepted', acceptedAs: saved.id })
  await audit(ctx, 'memory.accepted', row)
  return (await queries.findMemory(sql, caller, saved.id))!
}

export const reopenMemory = (ctx: Context, { id }: InputOf<typeof memory.reopen>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const row = await lockForChange(inside, { id }, { decided: 'allowed' })
    if (!isDecided(row)) throw conflict('The proposal is not decided')
    if (row.status === 'accepted') await withdraw(inside, row)
    await queries.updateDecision(inside.sql, orgId, id, { status: 'proposed', by: null, at: null })
    await announce(inside, 'memory.decided', row, { decision: 'reopened' })
    await audit(inside, 'memory.reopened', row)
    return present((await queries.findMemory(inside.sql, ctx.caller, id))!)
  })

async function withdraw(ctx: Context, { acceptedAs, acceptedVersion, projectId }: MemoryRow): Promise<void> {
  const { sql, caller } = ctx
  const accepted = await queries.lockMemory(sql, caller, acceptedAs!)
  if (accepted?.version !== acceptedVersion)
    throw conflict('The memory has changed since the proposal was accepted: restore one of its versions')
  if (acceptedVersion === 1) return queries.deleteAccepted(sql, caller.orgId, accepted!.id)
  const former = await queries.findVersion(sql, caller.orgId, accepted!.id, acceptedVersion! - 1)
  if (!former) throw conflict('The memory’s former version no longer exists')
  const { key, content, tags } = former
  const text = { key, content, tags, change: 'restored' as const, restoredFrom: acceptedVersion! - 1 }
  await replaceText(ctx, projectId, accepted!, { ...text, writer: personWriter(ctx), now: ctx.now() })
}

const DECIDED_DAYS = 30

export async function sweepDecided({ sql, now }: JobContext): Promise<void> {
  const before = new Date(now().getTime() - DECIDED_DAYS * 86_400_000)
  await sql`delete from memories where decided_at < ${before} and status in ('accepted', 'rejected')`
}
