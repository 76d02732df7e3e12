import type { z } from 'zod'
import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { Snapshot } from '../../../../../contract/canvas/history-records.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { findProject, lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'

/** Marks a position to restore to. */
export async function takeSnapshot(
  ctx: Context,
  /** Locked by `lockProject` in the same transaction. */
  project: ProjectRow,
  { reason, name = null }: { reason: SnapshotRow['reason']; name?: string | null },
): Promise<SnapshotRow> {
  const snapshot = { id: newId(), seq: project.changeSeq, reason, name, createdBy: ctx.caller.userId }
  return insertSnapshot(ctx.sql, project.orgId, project.id, { ...snapshot, now: ctx.now() })
}

export const take = (ctx: Context, { projectId, name }: InputOf<typeof canvas.snapshot>) =>
  ctx.transaction(async (inside) =>
    takeSnapshot(inside, await lockProject(inside, projectId), { reason: 'manual', name: name ?? null }),
  )

export async function list(
  ctx: Context<'vault'>,
  { projectId, limit, cursor }: InputOf<typeof canvas.snapshots>,
) {
  const { orgId, id } = await findProject(ctx, projectId)
  const name = `snapshots ${orgId} ${id}`
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await listSnapshots(ctx.sql, orgId, id, before, limit + 1)
  return cursorPage(ctx.vault, name, limit, rows, (row) => row)
}

type SnapshotRow = z.output<typeof Snapshot>

const columns = (sql: Sql) => sql`
  s.id, s.name, s.reason, s.seq, case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end
  as "createdBy", s.created_at as "createdAt"`

export async function insertSnapshot(
  sql: Sql,
  orgId: string,
  projectId: string,
  snapshot: {
    id: string
    seq: number
    reason: string
    name: string | null
    createdBy: string
    now: Date
  },
): Promise<SnapshotRow> {
  const [row] = await sql<SnapshotRow[]>`
    with s as (
      insert into snapshots (org_id, project_id, id, seq, name, reason, created_by, created_at)
      values (${orgId}, ${projectId}, ${snapshot.id}, ${snapshot.seq}, ${snapshot.name}, ${snapshot.reason},
        ${snapshot.createdBy}, ${snapshot.now})
      returning *
    )
    select ${columns(sql)} from s left join users u on u.id = s.created_by`
  return row!
}

export async function listSnapshots(
  sql: Sql,
  orgId: string,
  projectId: string,
  before: string | null,
  limit: number,
) {
  return sql<SnapshotRow[]>`
    select ${columns(sql)} from snapshots s left join users u on u.id = s.created_by
    where s.org_id = ${orgId} and s.project_id = ${projectId} and ${before ? sql`s.id < ${before}` : sql`true`}
    order by s.id desc limit ${limit}`
}

export async function findSnapshot(sql: Sql, orgId: string, projectId: string, id: string) {
  const [row] = await sql<SnapshotRow[]>`
    select ${columns(sql)} from snapshots s left join users u on u.id = s.created_by
    where s.org_id = ${orgId} and s.project_id = ${projectId} and s.id = ${id}`
  return row ?? null
}
