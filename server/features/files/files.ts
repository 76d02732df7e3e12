import type { InputOf } from '../../../contract/endpoint.ts'
import type { files } from '../../../contract/files.ts'
import type { Context } from '../../context.ts'
import { notFound, raise } from '../../errors.ts'
import { reply } from '../../route.ts'
import { download } from './download.ts'
import { settle } from './pending.ts'
import { findFileWithAncestors } from './queries.ts'
import { present } from './records.ts'
import { shownVersionOf } from './version.ts'

export { addOnKnownBytes, type KnownFile, listKnownBytes } from './known-bytes.ts'
export { list } from './list.ts'
export { gramsOf, patternOf, searchKeyOf } from './names.ts'
export {
  areFilesOfProject,
  listProjectFiles,
  type ProjectFile,
  serveInline,
} from './project-files.ts'
export {
  copyFolder,
  provisionProjectFolder,
  renameProjectFolder,
  restoreProjectFolder,
  trashProjectFolder,
} from './project-folders.ts'

export async function get(ctx: Context, input: InputOf<typeof files.get>) {
  const found = (await findFileWithAncestors(ctx.sql, ctx.caller, input.id)) ?? raise(notFound('File'))
  const row = await settle(ctx, found)
  if (input.download) return download(ctx, row, input)
  const { ancestors } = found
  return reply({ ...present(row), ancestors }, { version: shownVersionOf(row, ancestors) })
}
