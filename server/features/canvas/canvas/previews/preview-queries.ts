import { BLOCKS_MAX } from '../../../../../contract/canvas/blocks.ts'
import { PREVIEW_SHAPES_MAX } from '../../../../../contract/projects/list-options.ts'
import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { projectAccess } from '../../../projects/access/access.ts'
import type { Drawable, Shape } from './shapes.ts'

/** The latest changes that are searched for people: a canvas has many changes by few people. */
const CHANGES_READ = 200
const PEOPLE_MAX = 6

export interface PreviewRow {
  id: string
  ownerId: string
  changeSeq: number
  blockCount: number
  /** Null if it was never drawn. */
  seq: number | null
  shapes: Shape[] | null
  people: string[] | null
  drawnAt: string | null
}

/** The projects that the caller sees, with their stored previews. */
export const listPreviews = (sql: Sql, orgId: string, caller: Caller, ids: string[]) => sql<PreviewRow[]>`
  select p.id, p.user_id as "ownerId", p.change_seq as "changeSeq", p.block_count as "blockCount", v.seq, v.shapes, v.people,
    v.drawn_at as "drawnAt"
  from projects p left join lateral (
    select v.* from canvas_previews v where v.org_id = ${orgId} and v.project_id = p.id limit 1
  ) v on true
  where p.org_id = ${orgId} and p.id = any(${ids}::uuid[]) and p.deleted_at is null
    and ${projectAccess(sql, caller)} is not null`

interface DrawnCanvas {
  id: string
  blocks: Drawable[]
  people: string[]
}

/** In the order of the key and with a limit, so that no plan reads the blocks of other canvases. */
const blocksOf = (sql: Sql, orgId: string) => sql`
  select * from blocks b where b.org_id = ${orgId} and b.project_id = c.id order by b.org_id, b.project_id, b.id limit ${BLOCKS_MAX}`

/** The largest blocks of each canvas, and the people who changed it: the last ones first, then the creators of the blocks. */
export const readCanvases = (sql: Sql, orgId: string, ids: string[]) => sql<DrawnCanvas[]>`
  select c.id, (
    select coalesce(json_agg(json_build_object('type', b.type, 'x', b.x, 'y', b.y, 'width', b.width, 'height', b.height,
      'color', b.color, 'zIndex', b.z_index)), '[]')
    from (
      select * from (${blocksOf(sql, orgId)}) b
      order by b.width * b.height desc limit ${PREVIEW_SHAPES_MAX}
    ) b
  ) as blocks, array(
    select w.user_id from (
      select l.user_id, l.seq from (
        select user_id, seq from canvas_changes where org_id = ${orgId} and project_id = c.id
        order by seq desc limit ${CHANGES_READ}
      ) l
      union all
      select b.created_by, 0 from (${blocksOf(sql, orgId)}) b
    ) w
    where w.user_id is not null group by w.user_id order by max(w.seq) desc, count(*) desc limit ${PEOPLE_MAX}
  ) as people
  from unnest(${ids}::uuid[]) c (id)`

interface NewPreview {
  projectId: string
  seq: number
  shapes: Shape[]
  people: string[]
}

export const savePreviews = (sql: Sql, orgId: string, previews: NewPreview[], now: Date) => sql`
  insert into canvas_previews as v (org_id, project_id, seq, shapes, people, drawn_at)
  select ${orgId}, n."projectId", n.seq, n.shapes, n.people, ${now}
  from jsonb_to_recordset(${sql.json(previews as never)}) as n ("projectId" uuid, seq bigint, shapes jsonb, people uuid[])
  order by n."projectId"
  on conflict (org_id, project_id) do update
    set seq = excluded.seq, shapes = excluded.shapes, people = excluded.people, drawn_at = excluded.drawn_at`

/** The names of people who are still members. */
export const listNames = (sql: Sql, orgId: string, ids: string[]) => sql<{ id: string; name: string }[]>`
  select u.id, u.name from users u
  where u.id = any(${ids}::uuid[]) and exists (
    select from memberships m where m.org_id = ${orgId} and m.user_id = u.id)`
