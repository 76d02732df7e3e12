import Stripe from 'stripe'
import { Webhook as Svix } from 'svix'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../server/security/digest.ts'
import { signatureHeaders } from '../../server/signatures/sign.ts'
import { WEBHOOK_SCHEMES } from '../../server/signatures/signature-schemes.ts'
import { verify } from '../../server/signatures/verify.ts'
import { signAsStripe, signAsTwilio } from '../../server/testing/fakes/sender-signatures.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = '{"type":"order.paid","id":"evt_1","name":"Ægir"}'

describe('signatures that other tests send', () => {
  test("equal those from Stripe's package", () => {
    const request = { payload: BODY, secret: SECRET, timestamp: 1_794_700_800 }
    expect(signAsStripe(request)).toBe(Stripe.webhooks.generateTestHeaderString(request))
  })

  test("equal those from Twilio's package", () => {
    const url = 'https://atrium.example/api/v1/telephony/voice?number=1'
    const full = { To: '+4930111111', Body: 'a & b', AccountSid: 'AC1', Ä: 'ü' }
    for (const fields of [{}, full] as Record<string, string>[])
      expect(signAsTwilio('token', url, fields)).toBe(getExpectedTwilioSignature('token', url, fields))
  })
})

describe('deliveries', () => {
  test("pass the Svix package's check with either secret in a grace period", () => {
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
    const headers = signatureHeaders({ id: 'msg_2', body: BODY, secrets: [other, SECRET], now: new Date() })
    for (const secret of [SECRET, other]) expect(() => new Svix(secret).verify(BODY, headers)).not.toThrow()
    expect(() => new Svix('whsec_AAAA').verify(BODY, headers)).toThrow('No matching signature')
  })

  test("are accepted from senders that use Svix's package", () => {
    const now = new Date()
    const headers = {
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
      'svix-signature': new Svix(SECRET).sign('msg_1', now, BODY),
    }
    const request = { url: 'https://atrium.example/hook', headers, body: Buffer.from(BODY) }
    const secret = { text: SECRET, hash: sha256(SECRET) }
    expect(verify(WEBHOOK_SCHEMES.auto, request, [secret], now)).toMatchObject({ valid: true, reason: null })
  })
})
