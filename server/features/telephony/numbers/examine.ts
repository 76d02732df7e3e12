import { ApiError } from '../../../errors.ts'
import type { Carrier, CarrierContext, CarrierFailure, OwnedNumber } from '../carrier/carrier.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { NumberRow } from './number-row.ts'
import { problemOf, urlsFor } from './webhooks.ts'
import { updateChecked, updateProblem } from './write-queries.ts'

/** A carrier that cannot be reached gives no information about the number: nothing was stored. */
export type ExaminationResult = { ok: true } | { ok: false; message: string }

const NOT_OWNED = 'The account at Twilio no longer owns the number'
export const REVOKED = 'The connection to Twilio was revoked: import the number again with another one'

/** Reads from the carrier where it sends the calls and messages of a number, and stores it; `sets` sets the URLs before. */
export async function examine(
  options: TelephonyOptions,
  ctx: CarrierContext,
  row: NumberRow,
  { base, sets }: { base: string; sets: boolean },
): Promise<ExaminationResult> {
  const { orgId, id, e164, connectionId } = row
  const carrier = await open(options, ctx, orgId, connectionId)
  if (typeof carrier === 'string') return store(ctx, row, carrier)
  const found = await carrier.findNumber(e164)
  if (!found.ok) return failed(ctx, row, found.failure)
  if (found.value === null) return store(ctx, row, NOT_OWNED)
  if (!sets) return storeOwned(ctx, row, carrier, found.value, base)
  const set = await carrier.setUrls(found.value.providerId, urlsFor(base, id))
  if (!set.ok) return failed(ctx, row, set.failure)
  return storeOwned(ctx, { ...row, configuresUrls: true }, carrier, set.value, base)
}

/** A text is why the account cannot be used. */
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

/** The account is refused: that stays until a person changes it. */
async function failed(
  ctx: CarrierContext,
  row: NumberRow,
  { status, message }: CarrierFailure,
): Promise<ExaminationResult> {
  return status === 401 || status === 403 ? store(ctx, row, message) : { ok: false, message }
}

async function store(
  { sql, now }: CarrierContext,
  { orgId, id }: NumberRow,
  problem: string,
): Promise<ExaminationResult> {
  await updateProblem(sql, orgId, id, problem, now())
  return { ok: true }
}

async function storeOwned(
  { sql, now }: CarrierContext,
  row: NumberRow,
  { accountId }: Carrier,
  { providerId, capabilities, urls }: OwnedNumber,
  base: string,
): Promise<ExaminationResult> {
  const { orgId, id, configuresUrls } = row
  const problem = problemOf(base, { id, capabilities, configuresUrls }, urls)
  const checked = { providerId, accountId, capabilities, urls, configuresUrls, problem, now: now() }
  await updateChecked(sql, orgId, id, checked)
  return { ok: true }
}
