import { BLOCKS_MAX } from '../../../../../contract/canvas/blocks.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { PREVIEW_SHAPES_MAX } from '../../../../../contract/projects/list-options.ts'
import type { projectPreviews } from '../../../../../contract/projects/previews.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { projectAccess } from '../../../projects/access/access.ts'
import { type Drawable, type Shape, toPreviewShapes } from './shapes.ts'

/** A busy canvas isn't redrawn for each change. */
const LAG_MS = 30_000
/** The next request draws the remaining projects. */
const BLOCKS_READ_MAX = 20_000
const PEOPLE_SHOWN_MAX = 5

export async function readPreviews(ctx: Context, { ids }: InputOf<typeof projectPreviews.list>) {
  const { sql, caller } = ctx
  const rows = await listPreviews(sql, caller.orgId, caller, ids)
  const drawn = await draw(ctx, rows)
  const current = rows.map((row) => ({ ...row, ...drawn.get(row.id) }))
  const people = current.flatMap((row) => [row.ownerId, ...(row.people ?? [])])
  const names = new Map(
    (await listNames(sql, caller.orgId, [...new Set(people)])).map(({ id, name }) => [id, name]),
  )
  const personOf = (id: string) => ({ id, name: names.get(id) ?? 'Former member' })
  return {
    items: current.map(({ id, ownerId, shapes, people }) => ({
      projectId: id,
      owner: personOf(ownerId),
      people: (people ?? [])
        .filter((person) => person !== ownerId)
        .slice(0, PEOPLE_SHOWN_MAX)
        .map(personOf),
      shapes: shapes ?? [],
    })),
  }
}

async function draw({ sql, caller, now }: Context, rows: PreviewRow[]) {
  const outdated = takeWithinLimit(rows.filter((row) => isOutdated(row, now())))
  if (outdated.length === 0) return new Map<string, Pick<PreviewRow, 'shapes' | 'people'>>()
  const { orgId } = caller
  const seqs = new Map(outdated.map(({ id, changeSeq }) => [id, changeSeq]))
  const canvases = await readCanvases(sql, orgId, [...seqs.keys()])
  const previews = canvases.map(({ id, blocks, people }) => ({
    projectId: id,
    // Read before the blocks: a change in between redraws.
    seq: seqs.get(id)!,
    shapes: toPreviewShapes(blocks),
    people,
  }))
  await savePreviews(sql, orgId, previews, now())
  return new Map(previews.map(({ projectId, ...preview }) => [projectId, preview]))
}

const isOutdated = ({ seq, changeSeq, drawnAt }: PreviewRow, now: Date): boolean =>
  seq === null || (seq !== changeSeq && Date.parse(drawnAt!) <= now.getTime() - LAG_MS)

/** Smallest canvases first, and at least one. */
function takeWithinLimit(rows: PreviewRow[]): PreviewRow[] {
  let blocks = 0
  return rows
    .toSorted((a, b) => a.blockCount - b.blockCount)
    .filter(({ blockCount }, index) => {
      blocks += blockCount
      return index === 0 || blocks <= BLOCKS_READ_MAX
    })
}

/** A canvas has many changes by few users. */
const CHANGES_READ = 200
const PEOPLE_MAX = 6

interface PreviewRow {
  id: string
  ownerId: string
  changeSeq: number
  blockCount: number
  /** Null if never drawn. */
  seq: number | null
  shapes: Shape[] | null
  people: string[] | null
  drawnAt: string | null
}

const listPreviews = (sql: Sql, orgId: string, caller: Caller, ids: string[]) => sql<PreviewRow[]>`
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

/** Keeps any plan from reading other canvases' blocks. */
const blocksOf = (sql: Sql, orgId: string) => sql`
  select * from blocks b where b.org_id = ${orgId} and b.project_id = c.id order by b.org_id, b.project_id, b.id limit ${BLOCKS_MAX}`

/** Users: latest editors first, then block creators. */
const readCanvases = (sql: Sql, orgId: string, ids: string[]) => sql<DrawnCanvas[]>`
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

const savePreviews = (sql: Sql, orgId: string, previews: NewPreview[], now: Date) => sql`
  insert into canvas_previews as v (org_id, project_id, seq, shapes, people, drawn_at)
  select ${orgId}, n."projectId", n.seq, n.shapes, n.people, ${now}
  from jsonb_to_recordset(${sql.json(previews as never)}) as n ("projectId" uuid, seq bigint, shapes jsonb, people uuid[])
  order by n."projectId"
  on conflict (org_id, project_id) do update
    set seq = excluded.seq, shapes = excluded.shapes, people = excluded.people, drawn_at = excluded.drawn_at`

/** Current members only. */
const listNames = (sql: Sql, orgId: string, ids: string[]) => sql<{ id: string; name: string }[]>`
  select u.id, u.name from users u
  where u.id = any(${ids}::uuid[]) and exists (
    select from memberships m where m.org_id = ${orgId} and m.user_id = u.id)`
