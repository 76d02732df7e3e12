import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { findDetails } from './find.ts'
import { presentDetails } from './records.ts'

export async function get(ctx: Context, { id }: InputOf<typeof projects.get>) {
  const row = await findDetails(ctx, id)
  return reply(presentDetails(row), { version: row.version })
}
