import { ApiError } from '../../../errors.ts'
import type { Carrier, CarrierContext, CarrierFailure, OwnedNumber } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { type NumberRow, updateChecked, updateProblem } from './queries.ts'
import { findUrlProblem, urlsFor } from './webhooks.ts'

/** Not ok if the carrier was unreachable. Nothing is stored then. */
export type RefreshResult = { ok: true } | { ok: false; message: string }

const NOT_OWNED = 'The Twilio account no longer owns the number'
export const REVOKED = 'The connection to Twilio was revoked: import the number again with another one'

/** `setsUrls` sets the URLs first. */
export async function refreshNumber(
  options: TelephonyOptions,
  ctx: CarrierContext,
  row: NumberRow,
  { base, setsUrls }: { base: string; setsUrls: boolean },
): Promise<RefreshResult> {
  const { orgId, id, e164, connectionId } = row
  const carrier = await open(options, ctx, orgId, connectionId)
  if (typeof carrier === 'string') return storeProblem(ctx, row, carrier)
  const found = await carrier.findNumber(e164)
  if (!found.ok) return handleFailure(ctx, row, found.failure)
  if (found.value === null) return storeProblem(ctx, row, NOT_OWNED)
  if (!setsUrls) return storeOwned(ctx, row, carrier, found.value, base)
  const set = await carrier.setUrls(found.value.providerId, urlsFor(base, id))
  if (!set.ok) return handleFailure(ctx, row, set.failure)
  return storeOwned(ctx, { ...row, configuresUrls: true }, carrier, set.value, base)
}

async function open(
  options: TelephonyOptions,
  ctx: CarrierContext,
  orgId: string,
  connectionId: string | null,
): Promise<Carrier | string> {
  try {
    return await openCarrier(options, ctx, orgId, connectionId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'CONFLICT') return error.message
    if (error.code === 'NOT_FOUND') return REVOKED
    throw error
  }
}

/** A rejection stays until a user changes the account. */
async function handleFailure(
  ctx: CarrierContext,
  row: NumberRow,
  { status, message }: CarrierFailure,
): Promise<RefreshResult> {
  return status === 401 || status === 403 ? storeProblem(ctx, row, message) : { ok: false, message }
}

async function storeProblem(
  { sql, now }: CarrierContext,
  { orgId, id }: NumberRow,
  problem: string,
): Promise<RefreshResult> {
  await updateProblem(sql, orgId, id, problem, now())
  return { ok: true }
}

async function storeOwned(
  { sql, now }: CarrierContext,
  row: NumberRow,
  { accountId }: Carrier,
  { providerId, capabilities, urls }: OwnedNumber,
  base: string,
): Promise<RefreshResult> {
  const { orgId, id, configuresUrls } = row
  const problem = findUrlProblem(base, { id, capabilities, configuresUrls }, urls)
  const checked = { providerId, accountId, capabilities, urls, configuresUrls, problem, now: now() }
  await updateChecked(sql, orgId, id, checked)
  return { ok: true }
}
