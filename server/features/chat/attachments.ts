import type { Context } from '../../context.ts'
import { badField } from '../../errors.ts'
import type { MessagePart } from '../sessions/sessions.ts'

interface Attached {
  fileIds: readonly string[]
  blockIds: readonly string[]
}

/** Attachments as text: the agent reads files and blocks with its tools, with the rights of the run. */
export async function attachmentParts(
  { sql, caller }: Context,
  projectId: string,
  { fileIds, blockIds }: Attached,
): Promise<MessagePart[]> {
  const files = fileIds.length
    ? await sql<{ id: string; name: string }[]>`
        select f.id, f.name from files f
        where f.org_id = ${caller.orgId} and f.id = any(${fileIds as string[]}::uuid[]) and f.status = 'ready'
          and f.deleted_at is null`
    : []
  const blocks = blockIds.length
    ? await sql<{ id: string; name: string | null }[]>`
        select id, coalesce(title, type) as name from blocks
        where org_id = ${caller.orgId} and project_id = ${projectId} and id = any(${blockIds as string[]}::uuid[])`
    : []
  requireAll('fileIds', fileIds, files)
  requireAll('blockIds', blockIds, blocks)
  return [...files.map(describe('file')), ...blocks.map(describe('block'))]
}

const describe =
  (kind: string) =>
  ({ id, name }: { id: string; name: string | null }): MessagePart => ({
    type: 'text',
    text: `[Attached ${kind}: ${JSON.stringify(name)}, id ${id}]`,
  })

function requireAll(field: string, ids: readonly string[], found: readonly { id: string }[]): void {
  const missing = ids.findIndex((id) => found.every((row) => row.id !== id))
  if (missing >= 0) throw badField(`body.${field}.${missing}`, 'does not exist or is not visible to you')
}
