import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { callbackBase } from './callback-url.ts'
import { findEndpointRow, listDue } from './endpoint-queries.ts'
import { register, unregister } from './register.ts'
import { deleteStored } from './retention.ts'

const RENEWED_AT_ONCE = 100

/** Registers endpoints again whose registration ends, or was not completed. */
export const renewAll = (options: EndpointOptions) => async (ctx: JobContext) => {
  for (const { orgId, id } of await listDue(ctx.sql, ctx.now(), RENEWED_AT_ONCE)) {
    const row = await findEndpointRow(ctx.sql, orgId, id)
    if (!row || row.isDeleted) continue
    const override = options.connectors[row.slug]?.url ?? null
    await register(options, ctx, row, callbackBase(ctx, { publicUrl: options.publicUrl, override }), 'renew')
  }
}

/**
 * Unregisters a deleted endpoint, then deletes its rows. A connection that does not work any more cannot unregister it: the
 * provider gets 404 and stops.
 */
export const cleanUp =
  (options: EndpointOptions) =>
  async (ctx: JobContext, { orgId, id }: { orgId: string; id: string }) => {
    const row = await findEndpointRow(ctx.sql, orgId, id)
    if (!row?.isDeleted) return
    const isGone = await unregister(options, ctx, row).catch((error: unknown) => {
      if (error instanceof ApiError) return true
      throw error
    })
    if (!isGone) throw new Error(`The provider of the endpoint ${id} could not be reached`)
    await deleteStored(ctx.sql, orgId, id)
  }
