import { reportFailure } from '../../connections/connections/connections.ts'
import {
  type ConnectionTarget,
  type RequestTemplate,
  sendRequest,
} from '../../connections/connectors/connectors.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CarrierContext, CarrierFailure, CarrierResult } from './carrier.ts'
import { explainCode } from './twilio-errors.ts'

export interface OpenedAccount {
  options: TelephonyOptions
  ctx: CarrierContext
  orgId: string
  connectionId: string | null
  target: ConnectionTarget & { generation?: number }
}

type Fields = Readonly<Record<string, string | number | readonly string[] | undefined>>

interface TwilioRequest {
  method: RequestTemplate['method']
  /** Below the account. Names in braces are values in `ids`. */
  path: string
  ids?: Readonly<Record<string, string>>
  query?: Fields
  form?: Fields
}

const ACCOUNT = '/2010-04-01/Accounts/{credentials.accountSid}'

/** Doesn't retry. */
export async function request<T>(
  account: OpenedAccount,
  { method, path, ids = {}, query, form }: TwilioRequest,
  read: (body: Readonly<Record<string, unknown>>) => T,
): Promise<CarrierResult<T>> {
  const { ctx, target } = account
  // Values are references, so a brace in a text message isn't a credential name.
  const template = {
    method,
    path: `${ACCOUNT}/${path}`,
    ...(query && { query: references(query) }),
    ...(form && { form: references(form) }),
  }
  const input = { ...ids, ...query, ...form }
  const exchange = await sendRequest(ctx.outbound, target, template, { input })
  if (exchange.ok) return { ok: true, value: read(objectOf(exchange.answer.body)) }
  const { failure, answer } = exchange
  await reportRefusal(account, failure)
  return { ok: false, failure: failureOf(answer?.status ?? null, failure) }
}

const references = (fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, { $: name }]))

const objectOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}

/** The connection then shows that Twilio rejects its credentials. */
async function reportRefusal(
  { options, ctx, orgId, connectionId, target }: OpenedAccount,
  failure: Parameters<typeof reportFailure>[3],
): Promise<void> {
  if (connectionId === null || target.generation === undefined) return
  const { generation } = target
  await reportFailure({ ...ctx, connectors: options.connectors }, orgId, connectionId, failure, {
    generation,
  })
}

/** A status below 500 means that Twilio didn't act. Without a response it may have. */
function failureOf(
  status: number | null,
  { code, message }: { code: string | null; message: string },
): CarrierFailure {
  const isRefused = status !== null && status >= 300 && status < 500 && status !== 408
  return { status, code, message: explainCode(code) ?? message, isRefused }
}

export function readTextField(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export function readCountField(body: Readonly<Record<string, unknown>>, name: string): number | null {
  const text = readTextField(body, name)
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** In US dollars. Twilio sends a negative amount. */
export function readPrice(body: Readonly<Record<string, unknown>>): string | null {
  const text = readTextField(body, 'price')
  if (text === null || !/^-?\d{1,8}(\.\d{1,12})?$/.test(text)) return null
  return (readTextField(body, 'price_unit') ?? 'USD').toUpperCase() === 'USD' ? text.replace('-', '') : null
}
