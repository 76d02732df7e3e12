import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTrash } from '../../../../../contract/files/retention.ts'
import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { requireEditor } from '../../../organizations/membership/membership.ts'
import { purge } from './purge.ts'
import * as queries from './queries.ts'
import { readRetention } from './retention.ts'

/** One call deletes at most this many entries, and starts none after this time: its caller shows the progress. */
const ENTRIES_MAX = 200
const WORK_MS_MAX = 3000

/** The number and size of the files that the caller could delete permanently. */
export async function summary({ sql, caller, now }: Context) {
  const at = now()
  const { trashDays } = await readRetention(sql, caller.orgId)
  return { ...(await queries.summarizeTrash(sql, caller)), trashDays, at: at.toISOString() }
}

/** Deletes each entry in its own transaction, so that another change of the tree waits for at most one of them. */
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

/** False if another caller has restored or deleted it in between. */
async function purgeUnlessGone(ctx: Context, id: string): Promise<boolean> {
  try {
    await purge(ctx, id)
    return true
  } catch (error) {
    if (error instanceof ApiError && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)) return false
    throw error
  }
}
