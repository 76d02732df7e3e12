import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { forbidden } from '../../../errors.ts'
import { projectOf, requireEdit } from './access.ts'
import { type ListedMemory, listMemories } from './list-queries.ts'
import { audit } from './record-change.ts'
import { putMemory } from './save.ts'
import { personOf } from './writer.ts'

const PAGE = 200

/** The memory of one project, or of the organization, read page by page. */
export async function exportMemory(
  ctx: Context,
  { projectId, format, byteRequest }: InputOf<typeof memory.export>,
) {
  const project = await projectOf(ctx, { projectId })
  const isJson = format === 'json'
  const headers = {
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    'content-disposition': `attachment; filename="memory.${isJson ? 'json' : 'md'}"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const rows = readRows(ctx, project ?? ctx.caller.orgId)
  const content = isJson ? asJson(project, rows) : asMarkdown(rows)
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

async function* readRows({ sql, caller }: Context, spaceId: string): AsyncGenerator<ListedMemory> {
  const filter = { spaceId, scope: undefined, status: 'active' as const }
  let after: { updatedAt: string; id: string } | null = null
  for (let hasMore = true; hasMore; ) {
    const rows: ListedMemory[] = await listMemories(sql, caller, filter, { after, limit: PAGE })
    yield* rows
    after = rows.at(-1) ?? after
    hasMore = rows.length === PAGE
  }
}

async function* asJson(projectId: string | null, rows: AsyncIterable<ListedMemory>): AsyncGenerator<string> {
  const head = { scope: projectId === null ? 'org' : 'project', projectId }
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`
  let separator = '\n'
  for await (const { key, content, tags } of rows) {
    yield separator + JSON.stringify({ key, content, tags })
    separator = ',\n'
  }
  yield '\n]}\n'
}

async function* asMarkdown(rows: AsyncIterable<ListedMemory>): AsyncGenerator<string> {
  yield '# Memory\n'
  for await (const { key, content, tags, updatedAt } of rows) {
    yield `\n## ${key}\n\n${content}\n\n`
    yield `*${[`Changed ${updatedAt}`, ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : [])].join('; ')}*\n`
  }
}

export const importMemory = (ctx: Context, { scope, projectId, items }: InputOf<typeof memory.import>) =>
  ctx.transaction(async (inside) => {
    if (ctx.caller.via === 'run')
      throw forbidden('Only a person can import memory', { reason: 'person_required' })
    const project = await projectOf(inside, { scope, projectId })
    await requireEdit(inside, project)
    const counts = { created: 0, replaced: 0, unchanged: 0 }
    // In the order of keys, so that two imports do not deadlock.
    for (const item of items.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const { outcome } = await putMemory(inside, project, item, {
        writer: personOf(inside),
        change: 'imported',
      })
      counts[outcome] += 1
    }
    const target = { id: project ?? ctx.caller.orgId, projectId: project, key: `${items.length} memories` }
    await audit(inside, 'memory.imported', target)
    return counts
  })
