import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context, JobContext } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { isTextType } from '../content/file-types.ts'
import type { FileState } from '../record-change.ts'
import { notText, readPart } from '../texts/read-text.ts'
import { deleteChanges, type FoldedChange, findContent, findFolded, listFolded } from './queries.ts'

export async function listFileChanges(
  ctx: Context,
  runIds: readonly string[],
  page: { after: number; limit: number },
) {
  const { orgId } = ctx.caller
  const rows = await listFolded(ctx.sql, ctx.caller, runIds, page)
  return rows.map((row) => ({ seq: row.seq, change: presentChange(orgId, row) }))
}

function presentChange(orgId: string, { id, before, after }: FoldedChange) {
  const action =
    before === null ? 'created' : after.trashed && !before.trashed ? 'deleted' : ('updated' as const)
  return {
    kind: 'file' as const,
    id,
    projectId: after.projectId,
    action: action as 'created' | 'updated' | 'deleted',
    name: after.name,
    before: before && presentState(orgId, before),
    after: presentState(orgId, after),
    isText: [before, after].some((state) => state?.source === 'upload' && isTextType(state.mimeType)),
  }
}

const presentState = (orgId: string, state: FileState): Record<string, unknown> => {
  const { name, folder, parentId, tags, mimeType, size, sha256, trashed } = state
  return {
    name,
    folder,
    parentId: parentId === orgId ? null : parentId,
    tags,
    mimeType,
    size,
    sha256,
    trashed,
  }
}

export async function readChangedText(
  ctx: Context<'objects'>,
  runIds: readonly string[],
  { fileId, version, offset, limit }: InputOf<typeof agentRuns.changedText>,
) {
  const { orgId } = ctx.caller
  const change = (await findFolded(ctx.sql, ctx.caller, runIds, fileId)) ?? raise(notFound('Changed file'))
  const { mimeType, sha256, size } = change[version] ?? raise(notFound('Former content'))
  if (!isTextType(mimeType)) throw notText(mimeType)
  const content =
    (sha256 && (await findContent(ctx.sql, orgId, fileId, sha256))) || raise(notFound('File content'))
  const part = await readPart(ctx, { objectKey: content.objectKey, size }, { offset, limit })
  return { id: fileId, version, mimeType, size, sha256: sha256!, ...part }
}

export const deleteRunChanges = (ctx: JobContext, orgId: string, runId: string): Promise<void> =>
  deleteChanges(ctx.sql, orgId, runId)
