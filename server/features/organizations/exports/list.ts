import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organizationExports } from '../../../../contract/organizations/exports.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { findOrganization } from './archive-queries.ts'
import * as queries from './export-queries.ts'

const SHOWN_MAX = 20

export async function listExports({ sql, caller }: Context) {
  const rows = await queries.listExports(sql, caller.orgId, { ownersOnly: true, limit: SHOWN_MAX })
  return { items: [...rows] }
}

export async function listExportsOf({ sql }: Context, { id }: InputOf<typeof organizationExports.listOf>) {
  if (!(await findOrganization(sql, id))) throw notFound('Organization')
  return { items: [...(await queries.listExports(sql, id, { ownersOnly: false, limit: SHOWN_MAX }))] }
}
