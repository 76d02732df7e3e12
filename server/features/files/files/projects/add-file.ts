import type { Context } from '../../../../context.ts'
import { notFound, raise } from '../../../../errors.ts'
import { ALIASES, ALLOWED } from '../content/allowed-types.ts'
import { discardObject } from '../objects.ts'
import { findFolderNamed, findVisibleProjectFolder, lockName } from '../tree/folder-queries.ts'
import { createFolder } from '../tree/folders.ts'
import { insertUpload, storeUpload } from '../upload/upload.ts'

export interface NewProjectFile {
  projectId: string
  /** A folder of the project, which is created with its first file. */
  folder: string
  name: string
  mimeType: string
  content: AsyncIterable<Uint8Array>
}

/**
 * Stores a file that another system sent, with the rights of the caller. It is streamed and checked as an upload is.
 * `record` runs in the transaction that adds the file; if `record` throws, there is no file.
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

/** The usual extension of a type with its dot; empty if the type is not allowed or has none. */
export function extensionFor(mimeType: string): string {
  const plain = mimeType.split(';', 1)[0]!.trim().toLowerCase()
  const extension = ALLOWED.get(ALIASES[plain] ?? plain)?.extensions[0]
  return extension ? `.${extension}` : ''
}

/** The folder with this name in the folder of the project; created if there is none. Must run inside a transaction. */
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
