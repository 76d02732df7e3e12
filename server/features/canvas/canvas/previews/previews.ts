import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { projectPreviews } from '../../../../../contract/projects/previews.ts'
import type { Context } from '../../../../context.ts'
import { listNames, listPreviews, type PreviewRow, readCanvases, savePreviews } from './preview-queries.ts'
import { shapesOf } from './shapes.ts'

/** A canvas that many people change is not drawn for each change. */
const LAG_MS = 30_000
/** The blocks that one request reads. The next request draws the remaining projects. */
const BLOCKS_MAX = 20_000
const PEOPLE_MAX = 5

/** Previews of the projects that the caller sees. Those that are missing or out of date are drawn, together. */
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
        .slice(0, PEOPLE_MAX)
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
    // Read before the blocks: a change in between draws the canvas again.
    seq: seqs.get(id)!,
    shapes: shapesOf(blocks),
    people,
  }))
  await savePreviews(sql, orgId, previews, now())
  return new Map(previews.map(({ projectId, ...preview }) => [projectId, preview]))
}

const isOutdated = ({ seq, changeSeq, drawnAt }: PreviewRow, now: Date): boolean =>
  seq === null || (seq !== changeSeq && Date.parse(drawnAt!) <= now.getTime() - LAG_MS)

/** The smallest canvases first, and at least one. */
function takeWithinLimit(rows: PreviewRow[]): PreviewRow[] {
  let blocks = 0
  return rows
    .toSorted((a, b) => a.blockCount - b.blockCount)
    .filter(({ blockCount }, index) => {
      blocks += blockCount
      return index === 0 || blocks <= BLOCKS_MAX
    })
}
