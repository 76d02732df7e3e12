import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileRetention } from '../../../../../contract/files/retention.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { ageLimit } from './apply.ts'
import { readRetention, sumReplacedBefore, sumTrashedBefore, upsertRetention } from './retention-queries.ts'

const NOTHING = { entries: 0, files: 0, bytes: 0 }

export const get = ({ sql, caller }: Context) => readRetention(sql, caller.orgId)

/** The number and size of the files and versions that the next cleanup would delete. */
export async function effect(ctx: Context, change: InputOf<typeof fileRetention.effect>) {
  const { sql, caller, now } = ctx
  const { trashDays, versionDays } = mergeChange(await readRetention(sql, caller.orgId), change)
  const sum = (days: number | null, sumBefore: typeof sumTrashedBefore) =>
    days === null ? NOTHING : sumBefore(sql, caller.orgId, ageLimit(now(), days))
  return {
    trash: await sum(trashDays, sumTrashedBefore),
    versions: await sum(versionDays, sumReplacedBefore),
  }
}

export const update = (ctx: Context, change: InputOf<typeof fileRetention.update>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const after = mergeChange(await readRetention(sql, caller.orgId), change)
    await upsertRetention(sql, caller.orgId, { ...after, by: caller.userId, now: ctx.now() })
    const details = { trashDays: daysText(after.trashDays), versionDays: daysText(after.versionDays) }
    await recordAudit(inside, {
      action: 'files.retention-changed',
      by: caller,
      target: caller.orgId,
      details,
    })
    return readRetention(sql, caller.orgId)
  })

const daysText = (days: number | null) => (days === null ? 'never' : String(days))

interface Change {
  trashDays?: number | null | undefined
  versionDays?: number | null | undefined
}

const mergeChange = (before: { trashDays: number | null; versionDays: number | null }, change: Change) => ({
  trashDays: change.trashDays === undefined ? before.trashDays : change.trashDays,
  versionDays: change.versionDays === undefined ? before.versionDays : change.versionDays,
})
