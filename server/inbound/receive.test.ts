import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { newId } from '../security/ids.ts'
import { TELEGRAM } from '../signatures/signature-schemes.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { insertRefusal } from './event-log.ts'
import { type Inbound, RETRIES_MAX, receive, type VerifiedRequest } from './receive.ts'
import type { Receiver } from './receiver.ts'

const SECRET = 'a_secret_token'
const BYTES_MAX = 10

let app: TestApp
let orgId: string
beforeAll(async () => {
  app = await buildTestApp()
  orgId = (await app.organization()).id
})
afterAll(() => app.close())

const receiverWith = (secret: string, change: Partial<Receiver> = {}): Receiver => ({
  orgId,
  id: newId(),
  source: 'telegram',
  version: 1,
  isDisabled: false,
  schemes: [TELEGRAM],
  secrets: () => [{ text: secret, hash: sha256(secret) }],
  ...change,
})

/** The functions of a feature. `find` returns the cached receiver first, then the fresh one. */
function inboundOf(cached: Receiver | null, fresh = cached) {
  const stored: VerifiedRequest[] = []
  const inbound: Inbound<Receiver, number> = {
    bytesMax: BYTES_MAX,
    find: async (options) => (options.fresh ? fresh : cached),
    store: async (_ctx, _receiver, request) => stored.push(request),
    record: ({ sql }, receiver, refusal) => insertRefusal(sql, receiver.orgId, receiver, refusal),
  }
  return { inbound, stored }
}

const send = (
  inbound: Inbound<Receiver, number>,
  { headers = { 'x-telegram-bot-api-secret-token': SECRET } as Record<string, string>, body = '{}' } = {},
) => {
  const content = (async function* () {
    yield Buffer.from(body)
  })()
  return receive(app.app.system(), inbound, {
    url: 'https://a.example/x',
    headers,
    content,
    contentLength: null,
  })
}

const refusalsOf = ({ id }: Receiver) =>
  app.sql`select verification ->> 'reason' as reason, payload from events where org_id = ${orgId} and webhook_id = ${id}`

describe('receive', () => {
  test('stores a verified request with its raw body and the scheme that verified it', async () => {
    const { inbound, stored } = inboundOf(receiverWith(SECRET))
    expect(await send(inbound)).toEqual({ kind: 'stored', event: 1 })
    expect(stored).toMatchObject([{ body: Buffer.from('{}'), scheme: TELEGRAM }])
  })

  test("accepts only the receiver's schemes", async () => {
    const receiver = receiverWith(SECRET)
    const { inbound } = inboundOf(receiver)
    const headers = { 'x-webhook-secret': SECRET }
    expect(await send(inbound, { headers })).toEqual({ kind: 'refused', reason: 'missing_signature' })
    expect(await refusalsOf(receiver)).toEqual([{ reason: 'missing_signature', payload: null }])
  })

  test('rereads a cached receiver before refusing a request', async () => {
    const fresh = receiverWith(SECRET)
    for (const cached of [receiverWith('an_older_token'), receiverWith(SECRET, { isDisabled: true })]) {
      expect(await send(inboundOf(cached, fresh).inbound)).toEqual({ kind: 'stored', event: 1 })
    }
    expect(await send(inboundOf(fresh, receiverWith(SECRET, { isDisabled: true })).inbound)).toMatchObject({
      kind: 'stored',
    })
  })

  test('finds no receiver that is unknown or disabled', async () => {
    expect(await send(inboundOf(null).inbound)).toEqual({ kind: 'not_found' })
    const disabled = receiverWith(SECRET, { isDisabled: true })
    expect(await send(inboundOf(disabled).inbound)).toEqual({ kind: 'not_found' })
    expect(await refusalsOf(disabled)).toEqual([])
  })

  test("refuses a body over the feature's limit", async () => {
    const { inbound } = inboundOf(receiverWith(SECRET))
    const body = 'x'.repeat(BYTES_MAX)
    expect(await send(inbound, { body })).toMatchObject({ kind: 'stored' })
    expect(await send(inbound, { body: `${body}x` })).toEqual({ kind: 'refused', reason: 'too_large' })
  })

  test('rereads a receiver that changed before the event was stored, and fails after several attempts', async () => {
    const { inbound } = inboundOf(receiverWith(SECRET))
    const finds: boolean[] = []
    const counted = {
      ...inbound,
      find: (options: { fresh: boolean }) => {
        finds.push(options.fresh)
        return inbound.find(options)
      },
    }
    let changes = 1
    const store: typeof inbound.store = async () => (changes-- > 0 ? null : 7)
    expect(await send({ ...counted, store })).toEqual({ kind: 'stored', event: 7 })
    expect(finds).toEqual([false, true])
    changes = RETRIES_MAX
    expect(await send({ ...counted, store })).toEqual({ kind: 'conflict' })
  })
})
