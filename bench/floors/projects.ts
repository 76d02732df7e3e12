import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Context } from '../../server/context.ts'
import { openDatabase, type Sql } from '../../server/database/database.ts'
import { findCallers } from '../../server/features/accounts/api-keys/queries.ts'
import { readAll } from '../../server/features/canvas/canvas/list.ts'
import { buildHistoryEntries } from '../../server/features/canvas/canvas/write/history-entries.ts'
import {
  insertChanges,
  listBlocksById,
  updatePositions,
} from '../../server/features/canvas/canvas/write/queries.ts'
import { NEWEST_FIRST } from '../../server/features/projects/access/access.ts'
import { findDetails, findProject, lockProject } from '../../server/features/projects/projects/find.ts'
import { listProjects } from '../../server/features/projects/projects/list-queries.ts'
import { sha256 } from '../../server/security/digest.ts'
import { startFloor } from './server.ts'

/** The same database statements, without the rest of the server. */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const PAGE = 51

async function respond(request: IncomingMessage) {
  const found = (await findCallers(sql, [sha256(request.headers.authorization!.slice(7))]))[0]!
  const caller = { ...found, credentialId: found.id } as unknown as Context['caller']
  const [id, resource] = request.url!.split('?')[0]!.split('/').slice(4)
  const ctx = (sql: Sql) => ({ sql, caller }) as Context
  if (request.method === 'PATCH')
    return { status: 200, body: await move(ctx, id!, JSON.parse(await text(request))) }
  if (id === undefined) {
    const page = { after: null, limit: PAGE, order: NEWEST_FIRST }
    return { status: 200, body: await listProjects(sql, caller.orgId, caller, {}, page) }
  }
  if (resource === 'blocks') {
    const blocks = await readAll(sql, caller.orgId, (await findProject(ctx(sql), id)).id)
    return { status: 200, body: blocks.map(({ json }) => json).join() }
  }
  const body = await findDetails(ctx(sql), id)
  return { status: 200, body, version: body.version }
}

interface Position {
  id: string
  x: number
  y: number
}

function move(ctx: (sql: Sql) => Context, ref: string, { positions }: { positions: Position[] }) {
  return sql.begin(async (tx) => {
    const { caller } = ctx(tx)
    const project = await lockProject(ctx(tx), ref)
    const { orgId, id, changeSeq } = project
    const blocks = await listBlocksById(
      tx,
      orgId,
      id,
      positions.map((position) => position.id),
    )
    const positionById = new Map(positions.map((position) => [position.id, position]))
    const movedBlocks = blocks.map((block, index) => ({
      ...block,
      ...positionById.get(block.id),
      version: changeSeq + index + 1,
    }))
    const changes = movedBlocks.map((block, index) => ({
      seq: block.version,
      entity: 'block' as const,
      itemId: block.id,
      action: 'moved' as const,
      before: { x: blocks[index]!.x, y: blocks[index]!.y },
      after: { x: block.x, y: block.y },
    }))
    project.changeSeq += movedBlocks.length
    const entries = await buildHistoryEntries(changes, { userId: caller.userId, runId: null })
    await Promise.all([
      updatePositions(tx, orgId, id, movedBlocks),
      insertChanges(tx, orgId, id, entries, project, new Date()),
    ])
    return movedBlocks
  })
}

startFloor(respond)
