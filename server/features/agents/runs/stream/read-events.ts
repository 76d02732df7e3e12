import type { Sql } from '../../../../database/database.ts'
import { isEnded, type RunStatus } from '../state/run-row.ts'

const BATCH_MAX = 500

export interface StoredEvent {
  seq: number
  type: string
  data: unknown
}

export interface EventPage {
  events: StoredEvent[]
  hasMore: boolean
  /** These are the run's last events. */
  isEnd: boolean
}

interface EndedRun {
  status: RunStatus
  errorCode: string | null
  error: string | null
  lastSeq: number
}

/** A null `runId` means the first run. */
export async function findRunAfter(
  sql: Sql,
  orgId: string,
  sessionId: string,
  runId: string | null,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from runs where org_id = ${orgId} and session_id = ${sessionId} and session_seq > coalesce((
      select session_seq from runs where org_id = ${orgId} and id = ${runId}), 0)
    order by session_seq limit 1`
  return row?.id ?? null
}

/** One statement, so that the run's end is never missed. */
export async function readRunEvents(
  sql: Sql,
  orgId: string,
  runId: string,
  after: number,
): Promise<EventPage> {
  const [run] = await sql<(EndedRun & { events: StoredEvent[] })[]>`
    select r.status, r.error_code as "errorCode", r.error, r.next_seq::int - 1 as "lastSeq", coalesce((
      select json_agg(json_build_object('seq', e.seq, 'type', e.type, 'data', e.data) order by e.seq) from (
        select seq, type, data from run_events
        where org_id = r.org_id and run_id = r.id and seq > ${after} and r.events_deleted_at is null
        order by seq limit ${BATCH_MAX}) e), '[]') as events
    from runs r where r.org_id = ${orgId} and r.id = ${runId}`
  if (!run) return { events: [], hasMore: false, isEnd: true }
  const { events } = run
  if (!isEnded(run.status)) return { events, hasMore: events.length === BATCH_MAX, isEnd: false }
  const complete = beforeGap(events, after)
  const last = complete.at(-1)?.seq ?? after
  if (last >= run.lastSeq) return { events: complete, hasMore: false, isEnd: true }
  if (complete.length === BATCH_MAX) return { events: complete, hasMore: true, isEnd: false }
  return { events: [...complete, finishedEvent(run)], hasMore: false, isEnd: true }
}

/** The sweep deletes in any order, so events after a gap are incomplete. */
function beforeGap(events: StoredEvent[], after: number): StoredEvent[] {
  const gap = events.findIndex(({ seq }, index) => seq !== after + index + 1)
  return gap === -1 ? events : events.slice(0, gap)
}

/** From the run's row, after its events are deleted. */
const finishedEvent = ({ status, errorCode, error, lastSeq }: EndedRun): StoredEvent => ({
  seq: lastSeq,
  type: 'run.finished',
  data: { status, errorCode, error },
})
