import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { Id } from '../../../../contract/fields.ts'
import type { carrierCallbacks } from '../../../../contract/telephony/carrier-callbacks.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { createContext, type PublicContext } from '../../../context.ts'
import type { Fragment, Pool, Sql } from '../../../database/database.ts'
import { forOrganization, sharedPool } from '../../../database/fair-pool.ts'
import { reply } from '../../../endpoint/route.ts'
import { ApiError, forbidden } from '../../../errors.ts'
import { insertRefusal } from '../../../inbound/event-log.ts'
import { type Inbound, type RefusalReason, readRawBody, receive } from '../../../inbound/receive.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import { sanitizeText } from '../../../inbound/sanitize.ts'
import { sha256 } from '../../../security/digest.ts'
import { TWILIO } from '../../../signatures/signature-schemes.ts'
import type { SignedRequest } from '../../../signatures/signed-request.ts'
import { verify } from '../../../signatures/verify.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { createAuthTokens } from '../numbers/auth-tokens.ts'
import {
  type CallbackNumber,
  type CalledNumberRow,
  type CarrierReply,
  findCallbackNumberById,
  findCalledByNumber,
  type HandleCallback,
} from '../numbers/called-number.ts'

type CallbackInput = InputOf<(typeof carrierCallbacks)['voice']>

interface NumberReceiver<N> extends Receiver {
  number: N
}

interface CallbackOptions {
  /** For a number that no organization has, if signed with this server's auth token. */
  unknown?: CarrierReply
  /** Extra columns from `called`, read in the same statement. */
  extraColumns?: (sql: Sql) => Fragment
  /** While the organization is suspended. Without it, the carrier's report is stored. */
  suspended?: CarrierReply
}

/** Verifies the signature over form and URL (with query) with the auth token for the number's account. */
export function receiveCallback<T = unknown>(
  options: TelephonyOptions,
  handle: HandleCallback<CallbackNumber & T>,
  { unknown = null, extraColumns = (sql) => sql``, suspended }: CallbackOptions = {},
) {
  const tokens = createAuthTokens(options)

  return async (
    ctx: PublicContext<'outbound' | 'quotas' | 'suspensions' | 'vault'>,
    { content, contentLength, headers, target }: CallbackInput,
  ) => {
    const body = await readRawBody({ content, contentLength }, TELEPHONY_LIMITS.callbackBytes)
    if (body === null) throw tooLarge()
    const url = ctx.origin.baseUrl + target
    const callback: CarrierCallback = {
      fields: pairsOf(body.toString()),
      query: pairsOf(target.split('?').slice(1).join('?')),
      headers,
    }
    const inbound: Inbound<NumberReceiver<CalledNumberRow & T>, { reply: CarrierReply }> = {
      bytesMax: TELEPHONY_LIMITS.callbackBytes,
      whileSuspended: true,
      find: async (freshness) => {
        const row = await findNumber<T>(ctx.sql, callback, extraColumns(ctx.sql))
        return row && receiverOf(row, callback, await tokens.find(ctx, row, freshness))
      },
      store: async (_, { number }, _request) => ({
        reply:
          suspended && ctx.suspensions.find(number.orgId)
            ? suspended
            : await handle(forTenant(ctx, number.orgId), number, callback),
      }),
      record: ({ sql }, receiver, refusal) => insertRefusal(sql, receiver.orgId, receiver, refusal),
    }
    const outcome = await receive(ctx, inbound, { url, headers, content: once(body), contentLength: null })
    if (outcome.kind === 'stored') return respond(outcome.event.reply)
    if (outcome.kind === 'refused') throw refusalError(outcome.reason)
    const reason = checkOwnAccount(options, { url, headers, body }, callback, ctx.now())
    if (reason !== null) throw refusalError(reason)
    return respond(unknown)
  }
}

const tooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${TELEPHONY_LIMITS.callbackBytes} bytes`, {
    details: { reason: 'too_large' },
  })

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, sanitizeText(value)]))

async function* once(body: Buffer) {
  yield body
}

/** The fields aren't authenticated yet. They only choose which account's token checks the signature. */
async function findNumber<T>(
  sql: Sql,
  { query, fields }: CarrierCallback,
  extraColumns: Fragment,
): Promise<(CalledNumberRow & T) | null> {
  if (query.number !== undefined) {
    const id = Id.safeParse(query.number)
    return id.success ? findCallbackNumberById<T>(sql, id.data, extraColumns) : null
  }
  const { AccountSid: account, To, Called, From } = fields
  const numbers = [To, Called, From].filter((number) => number !== undefined)
  if (account === undefined || numbers.length === 0) return null
  return findCalledByNumber<T>(sql, account, numbers, extraColumns)
}

/** No secret counts unless the form names the number's account: no other may report about it. */
function receiverOf<N extends CallbackNumber>(
  number: N,
  { fields }: CarrierCallback,
  secrets: ReturnType<Receiver['secrets']>,
): NumberReceiver<N> {
  const accepted = fields.AccountSid === number.accountId ? secrets : []
  return {
    orgId: number.orgId,
    id: number.id,
    source: number.provider,
    version: 0,
    isDisabled: false,
    schemes: [TWILIO],
    secrets: () => accepted,
    number,
  }
}

/** Uses the organization's connections, because all organizations share the carrier's IP addresses. */
const forTenant = (
  ctx: PublicContext<'quotas' | 'vault'>,
  orgId: string,
): PublicContext<'quotas' | 'vault'> =>
  createContext({ ...ctx, sql: forOrganization(sharedPool(ctx.sql as Pool), orgId) })

function checkOwnAccount(
  { accounts }: TelephonyOptions,
  request: SignedRequest,
  { fields }: CarrierCallback,
  now: Date,
): RefusalReason | null {
  const own = accounts.twilio?.accountSid === fields.AccountSid ? accounts.twilio : null
  const secrets = own ? [{ text: own.authToken, hash: sha256(own.authToken) }] : []
  return verify([TWILIO], request, secrets, now).reason
}

const refusalError = (reason: RefusalReason): ApiError =>
  forbidden('The request could not be verified as coming from this number’s carrier', { reason })

function respond(answer: CarrierReply) {
  const noStore = { 'cache-control': 'no-store' }
  if (answer === null) return reply(null, { status: 204, bytes: { content: null, headers: noStore } })
  const headers = { ...noStore, 'content-type': 'text/xml; charset=utf-8' }
  return reply(null, { bytes: { content: Readable.from([Buffer.from(answer.twiml)]), headers } })
}
