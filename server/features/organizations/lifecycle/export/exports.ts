import type { ByteRequest, InputOf } from '../../../../../contract/endpoint.ts'
import type { organizationExports } from '../../../../../contract/organizations/exports.ts'
import { recordAudit, recordAuditHourly } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { conflict, notFound, raise } from '../../../../errors.ts'
import { addJob } from '../../../../jobs/job.ts'
import { newId } from '../../../../security/ids.ts'
import { partsOfKey } from '../../../../storage/object-store.ts'
import { respondWithObject } from '../../../files/files/files.ts'
import { findOrganization } from './archive.ts'
import * as queries from './export-queries.ts'
import { findExport, findReady, insertExport } from './export-queries.ts'
import { makeExport } from './jobs.ts'

export const createExport = (ctx: Context) => create(ctx, ctx.caller.orgId, false)

export const createExportAsOperator = (ctx: Context, { id }: InputOf<typeof organizationExports.createOf>) =>
  create(ctx, id, true)

/** Belongs to the organization, so its admins see who exported its data. */
const create = (ctx: Context, orgId: string, byOperator: boolean) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const { userId, via } = ctx.caller
    const id = newId()
    const isNew = await insertExport(sql, orgId, { id, requestedBy: userId, byOperator, now: ctx.now() })
    if (!isNew)
      throw (await findOrganization(sql, orgId))
        ? conflict('Another export of this organization is in progress')
        : notFound('Organization')
    await recordAudit(inside, {
      action: 'organization.export-requested',
      by: { orgId, userId, via },
      target: orgId,
    })
    // Not a job of the organization, which may be suspended.
    await sql`select ${addJob(sql, makeExport, { exportId: id, subjectId: orgId })}`
    return (await findExport(sql, orgId, id)) ?? raise(notFound('Export'))
  })

const SHOWN_MAX = 20

export async function listExports({ sql, caller }: Context) {
  const rows = await queries.listExports(sql, caller.orgId, { ownersOnly: true, limit: SHOWN_MAX })
  return { items: [...rows] }
}

export async function listExportsAsOperator(
  { sql }: Context,
  { id }: InputOf<typeof organizationExports.listOf>,
) {
  if (!(await findOrganization(sql, id))) throw notFound('Organization')
  return { items: [...(await queries.listExports(sql, id, { ownersOnly: false, limit: SHOWN_MAX }))] }
}

export const downloadExport = (
  ctx: Context<'objects'>,
  { id, byteRequest }: InputOf<typeof organizationExports.download>,
) => download(ctx, ctx.caller.orgId, { id, ownersOnly: true, byteRequest })

export const downloadExportAsOperator = (
  ctx: Context<'objects'>,
  { id, exportId, byteRequest }: InputOf<typeof organizationExports.downloadOf>,
) => download(ctx, id, { id: exportId, ownersOnly: false, byteRequest })

interface Download {
  id: string
  ownersOnly: boolean
  byteRequest: ByteRequest
}

async function download(ctx: Context<'objects'>, orgId: string, { id, ownersOnly, byteRequest }: Download) {
  const found =
    (await findReady(ctx.sql, orgId, { id, ownersOnly, now: ctx.now() })) ?? raise(notFound('Export'))
  // Even a range without the first byte may contain almost the whole archive.
  if (!byteRequest.headOnly)
    await recordAuditHourly(ctx, {
      action: 'organization.export-downloaded',
      by: { orgId, userId: ctx.caller.userId, via: ctx.caller.via },
      target: orgId,
      details: { exportId: id },
    })
  const { key, requestedAt } = found
  return respondWithObject(
    ctx.objects,
    {
      key,
      contentType: 'application/zip',
      disposition: `attachment; filename="organization-${orgId}-${requestedAt.slice(0, 10)}.zip"`,
      tag: partsOfKey(key).name,
    },
    byteRequest,
  )
}
