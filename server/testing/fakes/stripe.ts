import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomHex } from '../../security/random.ts'

/** The Stripe fields callers may rely on. A conformance test compares them with Stripe's types. */
export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  customer: string | null
  created: number
  metadata: Record<string, string>
  status: 'succeeded' | 'canceled' | 'requires_action' | 'requires_payment_method'
  latest_charge: { id: string; receipt_url: string | null } | null
  last_payment_error: { code: string } | null
  description: string | null
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  metadata: Record<string, string> | null
  payment_intent: string | null
  status: string | null
}

/**
 * `lose-request`: dropped before it's carried out. `lose-response`: after. `hang-before` and `hang-after` never
 * respond, and only the latter is carried out.
 */
const FAULTS = ['lose-response', 'lose-request', 'hang-before', 'hang-after', 'server-error'] as const
type Fault = (typeof FAULTS)[number]

export type StripeServer = Awaited<ReturnType<typeof startStripe>>

export const DECLINED = 'pm_card_declined'
export const NEEDS_ACTION = 'pm_card_authentication'
export const CUSTOMER = 'cus_Test1'

export async function startStripe() {
  const intents: Intent[] = []
  const refunds: Refund[] = []
  const requests: { method: string; path: string; key: string | null; fields: Record<string, string> }[] = []
  const storedResponses = new Map<string, { hash: string; status: number; body: unknown }>()
  const faults: Fault[] = []
  let hanging = 0

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stripe')
    const text = await readBody(request)
    const fields = Object.fromEntries(request.method === 'GET' ? searchParams : new URLSearchParams(text))
    const key = (request.headers['idempotency-key'] as string | undefined) ?? null
    const path = pathname.replace('/v1/', '')
    requests.push({ method: request.method!, path, key, fields })
    if (!request.headers.authorization?.startsWith('Bearer rk_test_'))
      return send(response, 401, failure('invalid_request_error', 'Invalid API Key provided'))
    const isWrite = request.method === 'POST' && (path === 'payment_intents' || path === 'refunds')
    const fault = isWrite ? (faults.shift() ?? FAULTS.find((name) => name === fields.description)) : undefined
    if (fault === 'lose-request') return request.socket.destroy()
    if (fault === 'server-error') return send(response, 500, failure('api_error', 'Try again'))
    if (fault === 'hang-before') return void hanging++
    const { status, body } = runIdempotently(key, text, () => route(request.method!, path, fields))
    if (fault === 'lose-response') return request.socket.destroy()
    if (fault === 'hang-after') return void hanging++
    send(response, status, body)
  })

  /** A repeated key returns the first response, or an error with other parameters. */
  function runIdempotently(key: string | null, hash: string, work: () => { status: number; body: unknown }) {
    const stored = key === null ? undefined : storedResponses.get(key)
    if (stored && stored.hash !== hash)
      return {
        status: 400,
        body: failure('idempotency_error', 'Keys can only be used with the same parameters'),
      }
    if (stored) return stored
    const result = work()
    if (key !== null) storedResponses.set(key, { hash, ...result })
    return structuredClone(result)
  }

  function route(
    method: string,
    path: string,
    fields: Record<string, string>,
  ): { status: number; body: unknown } {
    const [resource, id, action] = path.split('/')
    if (resource === 'payment_methods')
      return id!.startsWith('pm_card')
        ? { status: 200, body: { id, object: 'payment_method', customer: CUSTOMER } }
        : { status: 404, body: failure('invalid_request_error', 'No such PaymentMethod', 'resource_missing') }
    if (resource === 'refunds' && method === 'POST') return refund(fields)
    if (resource !== 'payment_intents')
      return { status: 404, body: failure('invalid_request_error', 'Unrecognized') }
    if (method === 'POST' && id === undefined) return charge(fields)
    if (id === undefined) return list(fields)
    const intent = intents.find((each) => each.id === id)
    if (!intent) return { status: 404, body: failure('invalid_request_error', 'No such payment_intent') }
    if (action === 'cancel') intent.status = 'canceled'
    return { status: 200, body: intent }
  }

  function charge(fields: Record<string, string>) {
    const intent: Intent = {
      id: `pi_${randomHex(8)}`,
      object: 'payment_intent',
      amount: Number(fields.amount),
      currency: fields.currency!,
      customer: fields.customer!,
      created: Math.floor(Date.now() / 1000),
      description: fields.description ?? null,
      metadata: { atrium_payment: fields['metadata[atrium_payment]']! },
      status: 'succeeded',
      latest_charge: {
        id: `ch_${randomHex(8)}`,
        receipt_url: 'https://pay.stripe.com/receipts/1',
      },
      last_payment_error: null,
    }
    intents.push(intent)
    if (fields.payment_method === NEEDS_ACTION)
      Object.assign(intent, { status: 'requires_action', latest_charge: null })
    if (fields.payment_method !== DECLINED) return { status: 200, body: intent }
    Object.assign(intent, { status: 'requires_payment_method', latest_charge: null })
    const declined = { ...failure('card_error', 'Your card was declined.', 'card_declined') }
    return {
      status: 402,
      body: { error: { ...declined.error, decline_code: 'insufficient_funds', payment_intent: intent } },
    }
  }

  function refund(fields: Record<string, string>) {
    const intent = intents.find(({ id }) => id === fields.payment_intent)!
    if (refunds.some(({ payment_intent }) => payment_intent === intent.id))
      return {
        status: 400,
        body: failure('invalid_request_error', 'Already refunded', 'charge_already_refunded'),
      }
    const { amount, currency, metadata } = intent
    const body: Refund = {
      ...{ id: `re_${randomHex(8)}`, object: 'refund', amount, currency, metadata },
      payment_intent: intent.id,
      status: 'succeeded',
    }
    refunds.push(body)
    return { status: 200, body }
  }

  function list(fields: Record<string, string>) {
    const newest = intents.filter(({ customer }) => customer === fields.customer).toReversed()
    const from = fields.starting_after ? newest.findIndex(({ id }) => id === fields.starting_after) + 1 : 0
    const data = newest.slice(from, from + Number(fields.limit ?? 10))
    return { status: 200, body: { object: 'list', data, has_more: from + data.length < newest.length } }
  }

  server.listen(0, '127.0.0.1')
  await listening(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    intents,
    refunds,
    requests,
    /** For the next requests. A payment's description can also name its fault. */
    fail: (...next: Fault[]) => void faults.push(...next),
    hanging: () => hanging,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

const listening = (server: ReturnType<typeof createServer>) => once(server, 'listening')

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const failure = (type: string, message: string, code?: string) => ({
  error: { type, message, ...(code && { code }) },
})

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
