import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { findFile } from '../../files/files/files.ts'
import type { MessagePart } from '../conversations/conversations.ts'
import { findOutsideBlocks, listTextOrigins } from '../runs/runs.ts'

interface AttachmentIds {
  fileIds: readonly string[]
  blockIds: readonly string[]
}

/**
 * The agent reads files and blocks with its tools, with the run's permissions. The tools mark untrusted content,
 * regardless of who attached it. A member's message is trusted, so an untrusted author's name is left out.
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
  const outsideNames = fileIds.length > 0 ? await listTextOrigins(sql, caller.orgId)([...fileIds]) : new Set()
  const outsideBlocks =
    blocks.length > 0
      ? await findOutsideBlocks(sql, caller.orgId)(projectId, [...blockIds], ['title'])
      : new Set()
  return [
    ...visible.map((file) => describe('file', file, outsideNames.has(sha256(file.name).toString('hex')))),
    ...blocks.map((block) => describe('block', block, outsideBlocks.has(block.id))),
  ]
}

const describe = (
  kind: string,
  { id, name }: { id: string; name: string },
  isOutside: boolean,
): MessagePart => ({
  type: 'text',
  text: isOutside ? `[Attached ${kind}, id ${id}]` : `[Attached ${kind}: ${JSON.stringify(name)}, id ${id}]`,
})

function requireAll(field: string, ids: readonly string[], found: readonly { id: string }[]): void {
  const missing = ids.findIndex((id) => found.every((row) => row.id !== id))
  if (missing >= 0) throw badField(`body.${field}.${missing}`, 'does not exist or is not visible to you')
}
