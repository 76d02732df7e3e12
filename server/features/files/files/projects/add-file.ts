import type { Context } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { ALIASES, ALLOWED } from '../content/allowed-types.ts'
import { discardObject } from '../objects.ts'
import { findFolderNamed, findVisibleProjectFolder, lockName } from '../tree/folder-queries.ts'
import { createFolder } from '../tree/folders.ts'
import { insertUpload, storeUpload } from '../upload/upload.ts'

export interface NewProjectFile {
  projectId: string
  folder: string
  name: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

/**
 * Uses the caller's permissions, and streams and checks like an upload. `record` runs in the adding transaction, so if
 * it throws, there is no file.
 */
export async function addProjectFile<T>(
  ctx: Context<'objects' | 'quotas'>,
  { projectId, folder, name, mimeType, content }: NewProjectFile,
  record: (inside: Context, fileId: string) => Promise<T>,
): Promise<T> {
  const { orgId } = ctx.caller
  await ctx.quotas.check(ctx.sql, orgId, { files: 1, storage: 1 })
  const upload = await storeUpload(ctx, { name, mimeType, content })
  try {
    return await ctx.transaction(async (inside) => {
      const parentId = await findOrCreateFolder(inside, projectId, folder)
      const { id } = await insertUpload(inside, upload, { projectId, parentId })
      return record(inside, id)
    })
  } catch (error) {
    await discardObject(ctx, orgId, upload.key)
    throw error
  }
}

/** Includes the dot. Empty if the type isn't allowed or has none. */
export function extensionFor(mimeType: string): string {
  const plain = mimeType.split(';', 1)[0]!.trim().toLowerCase()
  const extension = ALLOWED.get(ALIASES[plain] ?? plain)?.extensions[0]
  return extension ? `.${extension}` : ''
}

/** Must run inside a transaction. */
export async function findOrCreateFolder(
  ctx: Context<'quotas'>,
  projectId: string,
  name: string,
): Promise<string> {
  const { sql, caller } = ctx
  const root = (await findVisibleProjectFolder(sql, caller, projectId)) ?? raise(notFound('Project'))
  await lockName(sql, caller.orgId, root.id, name)
  const found = await findFolderNamed(sql, caller.orgId, root.id, name)
  return (found ?? (await createFolder(ctx, { projectId, parentId: root.id, name }))).id
}
