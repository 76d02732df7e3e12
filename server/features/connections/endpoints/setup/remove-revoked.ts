import { z } from 'zod'
import type { JobContext } from '../../../../context.ts'
import { job } from '../../../../jobs/job.ts'
import { type ConnectionTarget, sendRequest } from '../../connectors/connectors.ts'
import { type EndpointRow, listOfConnection, updateDeleted } from '../queries.ts'

export const endpointDeleted = job(
  'connector-endpoints.deleted',
  z.object({ orgId: z.uuid(), id: z.uuid() }),
  { lane: 'bulk', maxAttempts: 8 },
)

/**
 * Unregisters with the revoked connection's former secrets. Tries once: a remaining endpoint gets 404, and providers
 * then stop sending.
 */
export async function removeConnectionEndpoints(
  ctx: JobContext<'outbound'>,
  { orgId, id, target }: { orgId: string; id: string; target: ConnectionTarget | null },
): Promise<void> {
  for (const endpoint of await listOfConnection(ctx.sql, orgId, id)) {
    if (target) await unregister(ctx, target, endpoint)
    await ctx.transaction(async (inside) => {
      if (await updateDeleted(inside.sql, orgId, endpoint.id, ctx.now()))
        await inside.enqueue(endpointDeleted, { orgId, id: endpoint.id })
    })
  }
}

async function unregister(
  ctx: JobContext<'outbound'>,
  target: ConnectionTarget,
  { registration, kept, fields }: EndpointRow,
) {
  const setup = target.definition.receiver?.setup
  if (setup?.by === 'api' && registration !== 'by_hand')
    await sendRequest(ctx.outbound, target, setup.unregister(kept, fields))
}
