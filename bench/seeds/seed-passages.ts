import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownBlocks } from '../../markdown/text-blocks.ts'
import type { Pool } from '../../server/database/database.ts'
import { lockSource, replacePassages } from '../../server/features/knowledge/passages/store.ts'
import { newId } from '../../server/security/ids.ts'

interface Place {
  orgId: string
  projectId: string
  userId: string
}

/** One note with one text. Returns its id. */
export async function seedNote(
  sql: Pool,
  { orgId, projectId, userId }: Place,
  { title, text }: { title: string; text: string },
): Promise<{ id: string; passages: number }> {
  const id = newId()
  return sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into blocks (org_id, project_id, id, type, x, y, width, height, title, content, created_by, created_at, updated_at)
      values (${orgId}, ${projectId}, ${id}, 'note', 0, 0, 1, 1, ${title}, '', ${userId}, now(), now())`
    const source = await lockSource(tx, orgId, { type: 'block', itemId: id, scopeId: projectId }, projectId)
    await replacePassages(tx, orgId, source, {
      spaceId: projectId,
      version: 1,
      title,
      text: markdownBlocks(text),
    })
    const [row] = await tx<{ passages: number }[]>`
      select passages from passage_sources where org_id = ${orgId} and id = ${source}`
    return { id, passages: row!.passages }
  })
}

const DOCUMENT_UNITS = 250_000
const MODULES = new URL('../../node_modules/', import.meta.url).pathname

/** Technical text from the dependencies, until there are this many passages. Repeats it, a word rotated, if it ends. */
export async function seedOtherPassages(sql: Pool, place: Place, count: number): Promise<number> {
  let passages = 0
  for (let round = 0; passages < count; round++)
    for await (const { title, text } of documents()) {
      const varied = round === 0 ? text : text.replaceAll(/\b(\p{Ll}{6,})\b/gu, (word) => rotate(word, round))
      passages += (await seedNote(sql, place, { title, text: varied })).passages
      if (passages >= count) break
    }
  return passages
}

const rotate = (word: string, by: number) => word.slice(by % word.length) + word.slice(0, by % word.length)

async function* documents() {
  let text = ''
  const names = (await readdir(MODULES, { recursive: true }))
    .filter((name) => /\.(md|d\.ts)$/.test(name))
    .sort()
  for (const name of names) {
    text += `${await readFile(join(MODULES, name), 'utf8').catch(() => '')}\n\n`
    if (text.length < DOCUMENT_UNITS) continue
    yield {
      title: name.split('/')[0]!,
      text: text.slice(0, DOCUMENT_UNITS).toWellFormed().replaceAll('\0', ' '),
    }
    text = ''
  }
}
