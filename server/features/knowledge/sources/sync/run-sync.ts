import { SOURCE_LIMITS } from '../../../../../contract/knowledge/source-options.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { Slot } from '../../../../jobs/lease-loop.ts'
import { newId } from '../../../../security/ids.ts'
import { SourceFailure } from '../providers/source-failure.ts'
import { endSync, findSync } from '../queries.ts'
import type { Progress } from '../records.ts'
import { pauseOrRetry } from './pause-or-retry.ts'
import * as queries from './queries.ts'
import { LeaseLost, openSession, type Session, type SyncContext } from './session.ts'
import { markSeen, removeItem, withCleanNames, writeItem } from './write-item.ts'

/** Then others get a turn. The sync goes on where it was. */
const PART_MS = 30_000
const BATCH = 200
const ID_LENGTH_MAX = 1000
const LISTING_BYTES_MAX = 1_000_000

/** Works on a due source until it's synced, or until its turn is over. */
export async function runSync(ctx: SyncContext, due: queries.DueSource, slot: Slot): Promise<void> {
  const opened = await openSession(ctx, due, slot.handOver)
  if (opened.kind === 'lost') return
  if (opened.kind === 'pause')
    return pauseOrRetry(ctx, due, { kind: 'pause', reason: opened.reason, detail: null })
  const { session } = opened
  const startedAt = performance.now()
  const isOver = () => slot.handOver.aborted || performance.now() - startedAt > PART_MS
  try {
    const progress = session.source.progress ?? (await begin(session))
    if (progress === null) return
    const isListed = await listAll(session, progress, isOver)
    const isSwept = isListed !== null && (await removeUnseen(session, isListed, isOver))
    if (isSwept) await finish(session, isListed)
    else await queries.updateDue(ctx.sql, due, ctx.now())
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (slot.handOver.aborted) {
      await queries.updateDue(ctx.sql, due, ctx.now())
      return
    }
    await pauseOrRetry(ctx, due, { kind: 'failure', error })
  }
}

/** Null if the provider says that nothing changed: then the sync is over. */
async function begin(session: Session): Promise<Progress | null> {
  const { due, source, provider, remote, settings, acting } = session
  const isComplete = source.requested || (await queries.hasFailedItems(acting.sql, due))
  const begun = await provider.begin(remote, settings, isComplete ? null : source.cursor)
  if (begun === null) {
    await session.leased(async ({ sql, now }, { cursor, intervalMinutes }) => {
      const nextAt = new Date(now().getTime() + intervalMinutes * 60_000)
      await queries.complete(sql, due, { cursor, nextAt, now: now() })
    })
    return null
  }
  const progress: Progress = { ...begun, syncId: newId(), found: 0 }
  await session.leased(async ({ sql, now }, { requested }) => {
    const trigger = requested ? 'manual' : 'schedule'
    await queries.insertSync(sql, due, { id: progress.syncId, trigger, now: now() })
    await queries.startProgress(sql, due, progress)
  })
  return progress
}

/** The progress afterwards, or null if the turn is over before the end. */
async function listAll(session: Session, start: Progress, isOver: () => boolean): Promise<Progress | null> {
  const { due, provider, remote, settings } = session
  let progress = start
  while (progress.listing !== null) {
    if (isOver()) return null
    const { items, next } = await provider.list(remote, settings, progress.listing)
    if (JSON.stringify(next).length > LISTING_BYTES_MAX)
      throw new SourceFailure('refused', 'It has too many folders')
    const room = Math.max(0, SOURCE_LIMITS.items - progress.found)
    const usable = items
      .filter(({ id }) => id.length <= ID_LENGTH_MAX)
      .slice(0, room)
      .map(withCleanNames)
    for (let at = 0; at < usable.length; at += BATCH) {
      const batch = usable.slice(at, at + BATCH)
      const changed = await withoutCurrent(session, batch)
      for (const item of changed) {
        if (isOver()) return null
        await writeItem(session, progress, item)
      }
    }
    progress = { ...progress, listing: next, found: progress.found + usable.length }
    await session.leased(({ sql }) => queries.updateProgress(sql, due, progress).then(() => undefined))
  }
  return progress
}

/** Marks the unchanged ones as seen in one statement. */
async function withoutCurrent(session: Session, items: Parameters<typeof writeItem>[2][]) {
  const ids = items.map(({ id }) => id)
  const rows = await queries.listItems(session.acting.sql, session.due, ids)
  const known = new Map(rows.map((row) => [row.externalId, row]))
  const isCurrent = (item: (typeof items)[number]) => {
    const row = known.get(item.id)
    const isSame = row?.path === item.folders.join('/') && row.name === item.name
    return isSame && row.version !== null && row.version === item.version && row.state !== 'failed'
  }
  const current = items.filter((item) => item.skip === undefined && isCurrent(item))
  if (current.length > 0)
    await markSeen(
      session,
      current.map(({ id }) => id),
    )
  return items.filter((item) => !current.includes(item))
}

/** What the complete listing didn't contain. */
async function removeUnseen(session: Session, progress: Progress, isOver: () => boolean): Promise<boolean> {
  const { due, provider, remote, settings, acting } = session
  const { pass } = await session.leased(async (_, source) => source)
  for (;;) {
    const unseen = await queries.listUnseen(acting.sql, due, pass, BATCH)
    if (unseen.length === 0) return true
    for (const { externalId } of unseen) {
      if (isOver()) return false
      const isGone = (await provider.isGone?.(remote, settings, externalId)) ?? true
      await (isGone ? removeItem(session, progress, externalId) : markSeen(session, [externalId]))
    }
  }
}

const finish = (session: Session, { syncId, cursor }: Progress) =>
  session.leased(async ({ sql, now }, source) => {
    const { due } = session
    const { orgId, id, projectId, requested } = source
    const nextAt = new Date(now().getTime() + (requested ? 0 : source.intervalMinutes * 60_000))
    await queries.complete(sql, due, { cursor, nextAt, now: now() })
    await endSync(sql, orgId, syncId, { outcome: 'succeeded', error: null, now: now() })
    await queries.deleteOldLog(sql, due)
    const sync = await findSync(sql, orgId, syncId)
    if (!sync) return
    const { added, changed, removed } = sync
    if (added + changed + removed > 0)
      await publishIn(sql, orgId, now(), {
        type: 'source.synced',
        data: { sourceId: id, projectId, added, changed, removed },
      })
  })
