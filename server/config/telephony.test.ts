import { describe, expect, test } from 'vitest'
import { startupBanner } from '../startup/startup-banner.ts'
import { readConfig } from './config.ts'

const SID = `AC${'0a'.repeat(16)}`

describe('telephony variables', () => {
  test("set this server's accounts, and are absent by default", () => {
    expect(readConfig({}).telephony).toEqual({
      twilio: null,
      elevenlabs: { apiKey: null, webhookSecret: null },
      openaiWebhookSecret: null,
    })
    const config = readConfig({
      ATRIUM_TWILIO_ACCOUNT_SID: SID,
      ATRIUM_TWILIO_AUTH_TOKEN: 'token of twilio',
      ATRIUM_ELEVENLABS_API_KEY: 'key of elevenlabs',
      ATRIUM_ELEVENLABS_WEBHOOK_SECRET: 'wsec_elevenlabs',
      ATRIUM_OPENAI_WEBHOOK_SECRET: 'whsec_openai',
    })
    expect(config.telephony).toEqual({
      twilio: { accountSid: SID, authToken: 'token of twilio' },
      elevenlabs: { apiKey: 'key of elevenlabs', webhookSecret: 'wsec_elevenlabs' },
      openaiWebhookSecret: 'whsec_openai',
    })
    expect(config.unused).toEqual([])
    const banner = startupBanner({ config, url: null, setupToken: null, objects: 'disk' })
    for (const secret of ['token of twilio', 'key of elevenlabs', 'wsec_', 'whsec_'])
      expect(banner).not.toContain(secret)
  })

  test('fail startup if an account variable is missing or malformed, and name it', () => {
    expect(() => readConfig({ ATRIUM_TWILIO_ACCOUNT_SID: SID })).toThrow(
      'ATRIUM_TWILIO_AUTH_TOKEN is missing',
    )
    expect(() => readConfig({ ATRIUM_TWILIO_AUTH_TOKEN: 'token of twilio' })).toThrow(
      'ATRIUM_TWILIO_ACCOUNT_SID is missing',
    )
    expect(() =>
      readConfig({ ATRIUM_TWILIO_ACCOUNT_SID: 'SK1', ATRIUM_TWILIO_AUTH_TOKEN: 'token of twilio' }),
    ).toThrow('ATRIUM_TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits')
    expect(() => readConfig({ ATRIUM_OPENAI_WEBHOOK_SECRET: 'short' })).toThrow(
      'ATRIUM_OPENAI_WEBHOOK_SECRET must be at least 8 characters',
    )
  })
})
