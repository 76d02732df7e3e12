import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { findFile, insertFile } from './queries.ts'
import type { StoredFile } from './records.ts'
import { decodeText } from './skill-text.ts'

export interface FileContent {
  path: string
  content: Buffer
}

interface FileInput {
  path: string
  text?: string | undefined
  base64?: string | undefined
}

export const decodeContent = ({ path, text, base64 }: FileInput): FileContent => ({
  path,
  content: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8'),
})

interface NewFile extends StoredFile {
  content: Buffer
}

export const describeFile = ({ path, content }: FileContent): NewFile => ({
  path,
  size: content.length,
  hash: sha256(content).toString('base64url'),
  isText: decodeText(content) !== null,
  content,
})

export const toMetadata = ({ path, size, hash, isText }: StoredFile): StoredFile => ({
  path,
  size,
  hash,
  isText,
})

export async function storeFiles(ctx: Context<'quotas'>, id: string, files: NewFile[]): Promise<void> {
  const { sql, caller, quotas } = ctx
  for (const { hash, size, content } of files) {
    if (await findFile(sql, caller.orgId, id, hash)) continue
    await quotas.reserve(sql, caller.orgId, { storage: size })
    await insertFile(sql, caller.orgId, id, hash, content)
  }
}

export interface FileChange extends FileInput {
  renameTo?: string | undefined
  remove?: true | undefined
}

export function applyChanges(
  before: StoredFile[],
  changes: FileChange[],
): (StoredFile & { content?: Buffer })[] {
  const files = new Map<string, StoredFile & { content?: Buffer }>(before.map((file) => [file.path, file]))
  changes.forEach((change, index) => {
    const field = `body.files.${index}`
    const existing = files.get(change.path)
    if (change.renameTo !== undefined || change.remove) {
      if (!existing) throw badField(`${field}.path`, 'must be a file in the skill')
      files.delete(change.path)
      if (change.remove) return
      if (files.has(change.renameTo!)) throw badField(`${field}.renameTo`, 'must not be another file’s path')
      files.set(change.renameTo!, { ...existing, path: change.renameTo! })
    } else files.set(change.path, describeFile(decodeContent(change)))
  })
  const after = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  requireWithinLimits(after)
  return after
}

export function requireWithinLimits(files: Pick<StoredFile, 'path' | 'size'>[]): void {
  const { files: max, fileBytes, totalBytes } = SKILL_LIMITS
  if (files.length > max) throw badField('body.files', `must have at most ${max} files`)
  const large = files.find(({ size }) => size > fileBytes)
  if (large)
    throw badField(
      'body.files',
      `must have at most ${fileBytes.toLocaleString('en-US')} bytes each: ${large.path} has more`,
    )
  if (files.reduce((sum, { size }) => sum + size, 0) > totalBytes)
    throw badField('body.files', `must have at most ${totalBytes.toLocaleString('en-US')} bytes in total`)
  const folded = files.map(({ path }) => path.toLowerCase())
  const twice = folded.find((path, index) => folded.indexOf(path) !== index)
  if (twice !== undefined) throw badField('body.files', `must not contain a path twice: ${twice}`)
  const folder = folded.find((path) => folded.some((other) => other.startsWith(`${path}/`)))
  if (folder !== undefined)
    throw badField('body.files', `must not have a file and a folder with the same name: ${folder}`)
}
