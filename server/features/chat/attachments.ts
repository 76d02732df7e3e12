import type { Context } from '../../context.ts'
import { badField } from '../../errors.ts'
import { findFile } from '../files/files.ts'
import type { MessagePart } from '../sessions/sessions.ts'

interface AttachmentIds {
  fileIds: readonly string[]
  blockIds: readonly string[]
}

/**
 * Attachments as text: the agent reads files and blocks with its tools, with the rights of the run. The tools mark
 * content from outside, regardless of who attached it.
 */
export async function readAttachments(
  { sql, caller }: Context,
  projectId: string,
  { fileIds, blockIds }: AttachmentIds,
): Promise<MessagePart[]> {
  const files = await Promise.all(fileIds.map((id) => findFile(sql, caller, id)))
  const visible = files.filter((file) => file?.status === 'ready') as { id: string; name: string }[]
  const blocks = blockIds.length
    ? await sql<{ id: string; name: string }[]>`
        select id, coalesce(title, type) as name from blocks
        where org_id = ${caller.orgId} and project_id = ${projectId} and id = any(${blockIds as string[]}::uuid[])`
    : []
  requireAll('fileIds', fileIds, visible)
  requireAll('blockIds', blockIds, blocks)
  return [...visible.map(describe('file')), ...blocks.map(describe('block'))]
}

const describe =
  (kind: string) =>
  ({ id, name }: { id: string; name: string }): MessagePart => ({
    type: 'text',
    text: `[Attached ${kind}: ${JSON.stringify(name)}, id ${id}]`,
  })

function requireAll(field: string, ids: readonly string[], found: readonly { id: string }[]): void {
  const missing = ids.findIndex((id) => found.every((row) => row.id !== id))
  if (missing >= 0) throw badField(`body.${field}.${missing}`, 'does not exist or is not visible to you')
}
