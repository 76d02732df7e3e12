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

export { list } from './list.ts'
export {
  copyFolder,
  provisionProjectFolder,
  renameProjectFolder,
  trashProjectFolder,
} from './project-folders.ts'

export async function get(ctx: Context, input: InputOf<typeof files.get>) {
  const found = (await findFileWithAncestors(ctx.sql, ctx.caller.orgId, input.id)) ?? raise(notFound('File'))
  const row = await settle(ctx, found)
  if (input.download) return download(ctx, row, input)
  const { ancestors } = found
  return reply({ ...present(row), ancestors }, { version: shownVersionOf(row, ancestors) })
}
