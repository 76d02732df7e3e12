import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTrash } from '../../../../../contract/files/retention.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { requireEditor } from '../../../organizations/membership/membership.ts'
import { purge } from './purge.ts'
import * as queries from './queries.ts'
import { readRetention } from './retention.ts'

/** Limits one call's work, because the caller shows progress. */
const ENTRIES_MAX = 200
const WORK_MS_MAX = 3000

export async function summary({ sql, caller, now }: Context) {
  const at = now()
  const { trashDays } = await readRetention(sql, caller.orgId)
  return { ...(await queries.summarizeTrash(sql, caller)), trashDays, at: at.toISOString() }
}

/** One transaction per entry, so other tree changes wait for at most one. */
export async function empty(ctx: Context, { before }: InputOf<typeof fileTrash.empty>) {
  await requireEditor(ctx, 'files')
  const ids = await queries.listPurgeable(ctx.sql, ctx.caller, {
    before: new Date(before),
    limit: ENTRIES_MAX,
  })
  const end = performance.now() + WORK_MS_MAX
  let tried = 0
  let deleted = 0
  for (const id of ids) {
    if (performance.now() > end) break
    tried++
    if (await purgeUnlessGone(ctx, id)) deleted++
  }
  return { deleted, done: tried === ids.length && ids.length < ENTRIES_MAX }
}

async function purgeUnlessGone(ctx: Context, id: string): Promise<boolean> {
  try {
    await purge(ctx, id)
    return true
  } catch (error) {
    if (error instanceof ApiError && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)) return false
    throw error
  }
}
