import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import type { Trust } from '../../../tools/tool.ts'
import { hasText, isImage, listCurrent, listFiles } from '../../files/files/files.ts'
import type { MessagePart } from '../conversations/conversations.ts'
import { findOutsideBlocks, listTextOrigins } from '../runs/runs.ts'

interface AttachmentIds {
  fileIds: readonly string[]
  blockIds: readonly string[]
}

interface Attachments {
  parts: MessagePart[]
  /** Lower with an untrusted author's image, because the model sees it with the message. */
  trust: Trust
}

/**
 * The agent sees images and short texts with the message. It reads other files and blocks with its tools, with the run's
 * permissions; untrusted content is marked, regardless of who attached it. A member's message is trusted, so an untrusted
 * author's name is left out.
 */
export async function readAttachments(
  ctx: Context,
  projectId: string,
  { fileIds, blockIds }: AttachmentIds,
): Promise<Attachments> {
  const { sql, caller } = ctx
  if (fileIds.length + blockIds.length === 0) return { parts: [], trust: 'trusted' }
  const blocks = blockIds.length ? await listBlocks(ctx, projectId, blockIds) : []
  requireAll('blockIds', blockIds, blocks)
  const shownFileIds = blocks.flatMap(({ fileId }) => fileId ?? [])
  const found = await listFiles(sql, caller, [...new Set([...fileIds, ...shownFileIds])])
  const ready = new Map(found.filter(({ status }) => status === 'ready').map((file) => [file.id, file]))
  const files = fileIds.flatMap((id) => ready.get(id) ?? [])
  requireAll('fileIds', fileIds, files)
  const outsideNames = fileIds.length > 0 ? await listTextOrigins(sql, caller.orgId)([...fileIds]) : new Set()
  const outsideBlocks =
    blocks.length > 0
      ? await findOutsideBlocks(sql, caller.orgId)(projectId, [...blockIds], ['title'])
      : new Set()
  const { byFile, trust } = await readContents(ctx, [...ready.values()])
  const parts = [
    ...files.map((file): MessagePart => {
      const isOutside = outsideNames.has(sha256(file.name).toString('hex'))
      const content = byFile.get(file.id)
      return content
        ? { ...content, ...(!isOutside && { name: file.name }) }
        : describe('file', file, isOutside)
    }),
    ...blocks.flatMap((block): MessagePart[] => {
      const content = block.fileId === null ? undefined : byFile.get(block.fileId)
      const line = describe('block', block, outsideBlocks.has(block.id))
      return content?.type === 'image' ? [line, { ...content, blockId: block.id }] : [line]
    }),
  ]
  return { parts, trust }
}

/** Files that came with a message from outside, as the agent sees them: without names, which the sender may have chosen. */
export async function readOutsideFiles(ctx: Context, fileIds: readonly string[]): Promise<MessagePart[]> {
  if (fileIds.length === 0) return []
  const { byFile } = await readContents(ctx, await listFiles(ctx.sql, ctx.caller, [...fileIds]))
  return fileIds.flatMap((id) => byFile.get(id) ?? [])
}

const listBlocks = ({ sql, caller }: Context, projectId: string, ids: readonly string[]) => sql<
  { id: string; name: string; fileId: string | null }[]
>`
  select id, coalesce(title, type) as name, file_id as "fileId" from blocks
  where org_id = ${caller.orgId} and project_id = ${projectId} and id = any(${[...ids]}::uuid[])`

interface AttachedFile {
  id: string
  name: string
  targetId: string | null
  mimeType: string
}

/** Named by their version, so that the agent sees what was attached. A link's content is its target's. */
async function readContents({ sql, caller }: Context, files: readonly AttachedFile[]) {
  const shown = files.flatMap(({ id, targetId, name, mimeType }) => {
    const type = isImage(mimeType) ? 'image' : hasText(mimeType, name) ? 'file' : null
    return type === null ? [] : [{ id, type, mimeType, contentId: targetId ?? id }]
  })
  const byFile = new Map<string, MessagePart>()
  if (shown.length === 0) return { byFile, trust: 'trusted' as const }
  const current = await listCurrent(
    sql,
    caller.orgId,
    shown.map(({ contentId }) => contentId),
  )
  for (const { id, contentId, ...part } of shown) {
    const content = current.find(({ fileId }) => fileId === contentId)
    if (content) byFile.set(id, { ...part, fileId: contentId, version: content.version })
  }
  // A run becomes untrusted by a text only if its prompt contains it.
  const imageIds = shown.filter(({ type }) => type === 'image').map(({ contentId }) => contentId)
  if (imageIds.length === 0) return { byFile, trust: 'trusted' as const }
  const origins = await listTextOrigins(sql, caller.orgId)(imageIds)
  const isByUntrusted = current.some(
    ({ fileId, isByUntrustedRun }) => isByUntrustedRun && imageIds.includes(fileId),
  )
  return { byFile, trust: origins.size > 0 || isByUntrusted ? ('untrusted' as const) : ('trusted' as const) }
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
