import { z } from 'zod'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { inTurns } from '../../../../jobs/claim-fairly.ts'
import { job } from '../../../../jobs/job.ts'
import { findDefinition } from '../../connectors/connectors.ts'
import { callbackBase } from '../callback-url.ts'
import type { EndpointOptions } from '../dependencies.ts'
import { notifyOwner } from '../notify-owner.ts'
import { claimDue, type EndpointRow, findEndpointRow } from '../queries.ts'
import { attemptRegistration, storeFailure, storeRegistered, unregister } from './register.ts'
import { deleteStored } from './retention.ts'

/** Runs every few minutes. */
export const renewEndpoints = job('connector-endpoints.renew', z.object({}), { lane: 'bulk' })

const CLAIMED_MAX = 100

/** Longer than all claimed renewals take, even if providers don't respond. */
const LEASE_MS = 1_800_000

const CONCURRENCY_MAX = 8
const PER_ORGANIZATION_MAX = 2

export const renewAll =
  (options: EndpointOptions) => async (ctx: JobContext<'mail' | 'outbound' | 'vault'>) => {
    const now = ctx.now()
    const leasedUntil = new Date(now.getTime() + LEASE_MS)
    const due = await claimDue(ctx.sql, inTurns({ now, leasedUntil, limit: CLAIMED_MAX }))
    const semaphore = createSemaphore({
      name: 'renewals',
      permits: CONCURRENCY_MAX,
      permitsPerKey: PER_ORGANIZATION_MAX,
      waitMs: LEASE_MS,
    })
    await Promise.all(
      due.map(async ({ orgId, id }) => {
        const release = await semaphore.acquire(orgId)
        // One error doesn't block the others. It's retried after the lease.
        await renew(options, ctx, orgId, id)
          .catch((err: unknown) =>
            options.log.error({ err, orgId, endpointId: id }, 'an endpoint renewal failed'),
          )
          .finally(release)
      }),
    )
  }

async function renew(
  options: EndpointOptions,
  ctx: JobContext<'mail' | 'outbound' | 'vault'>,
  orgId: string,
  id: string,
): Promise<void> {
  const row = await findEndpointRow(ctx.sql, orgId, id)
  if (!row || row.isDeleted) return
  const outcome = await attempt(options, ctx, row)
  await ctx.transaction(async (inside) => {
    if (outcome.ok) return storeRegistered(inside, row, outcome)
    if (await storeFailure(inside, row, outcome, 'renew')) await mailProblem(inside, row)
  })
}

async function attempt(options: EndpointOptions, ctx: JobContext<'outbound' | 'vault'>, row: EndpointRow) {
  const override = options.connectors[row.slug]?.url ?? null
  let base: string
  try {
    base = callbackBase(ctx, { publicUrl: options.publicUrl, override })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ok: false as const, isFinal: true, error: error.message }
  }
  return attemptRegistration(options, ctx, row, base, 'renew')
}

/** Emails never contain provider messages. */
async function mailProblem(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, id, name, slug, ownerId, connectionId }: EndpointRow,
): Promise<void> {
  const provider = (await findDefinition(ctx.sql, orgId, slug))?.name ?? slug
  await notifyOwner(ctx, orgId, {
    id: `connector-endpoint-${id}-not-renewed-${ctx.now().getTime()}`,
    ownerId,
    connectionId,
    mail: ({ textWithNames }) => ({
      subject: textWithNames`The endpoint “${name.replace(/\s+/g, ' ')}” is not registered at ${provider}`,
      text: textWithNames`${provider} did not accept the endpoint’s registration: it sends no events, or will stop soon. Atrium tries again automatically. The endpoint shows the response from ${provider}. Test the endpoint to try again immediately.`,
    }),
  })
}

/** If the connection no longer works, the provider gets 404 and stops. */
export const cleanUp =
  (options: EndpointOptions) =>
  async (ctx: JobContext<'outbound' | 'vault'>, { orgId, id }: { orgId: string; id: string }) => {
    const row = await findEndpointRow(ctx.sql, orgId, id)
    if (!row?.isDeleted) return
    const isUnregistered = await unregister(options, ctx, row).catch((error: unknown) => {
      if (error instanceof ApiError) return true
      throw error
    })
    if (!isUnregistered) throw new Error(`The provider for the endpoint ${id} could not be reached`)
    await deleteStored(ctx.sql, orgId, id)
  }
