import type { ByteRequest, InputOf } from '../../../../contract/endpoint.ts'
import type { organizationExports } from '../../../../contract/organizations/exports.ts'
import { recordAuditHourly } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { partsOfKey } from '../../../storage/keys.ts'
import { respondWithObject } from '../../files/files/files.ts'
import { findReady } from './export-queries.ts'

export const downloadExport = (
  ctx: Context,
  { id, byteRequest }: InputOf<typeof organizationExports.download>,
) => download(ctx, ctx.caller.orgId, { id, ownersOnly: true, byteRequest })

export const downloadExportOf = (
  ctx: Context,
  { id, exportId, byteRequest }: InputOf<typeof organizationExports.downloadOf>,
) => download(ctx, id, { id: exportId, ownersOnly: false, byteRequest })

interface Download {
  id: string
  ownersOnly: boolean
  byteRequest: ByteRequest
}

async function download(ctx: Context, orgId: string, { id, ownersOnly, byteRequest }: Download) {
  const found =
    (await findReady(ctx.sql, orgId, { id, ownersOnly, now: ctx.now() })) ?? raise(notFound('Export'))
  // Every range is recorded: even a range without the first byte may contain almost the whole archive.
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
