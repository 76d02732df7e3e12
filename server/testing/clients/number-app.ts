import type { TelephonyOptions } from '../../features/telephony/dependencies.ts'
import { checkNumbers } from '../../features/telephony/numbers/background.ts'
import { startCarrier } from '../carrier/carrier.ts'
import type { Account } from '../carrier/records.ts'
import { insertConnection } from '../factories/connections.ts'
import type { Person } from '../factories/factories.ts'
import { buildTestApp } from '../test-app.ts'

export type NumberApp = Awaited<ReturnType<typeof startNumberApp>>

export async function startNumberApp() {
  const twilio = await startCarrier()
  const app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_CONNECTOR_TWILIO_URL: twilio.url,
      ATRIUM_TWILIO_ACCOUNT_SID: twilio.account.sid,
      ATRIUM_TWILIO_AUTH_TOKEN: twilio.account.token,
    },
  })
  await app.app.startWorker()
  let numbers = 0

  return {
    app,
    twilio,
    nextNumber: () => `+49302${String(++numbers).padStart(6, '0')}`,
    /** By default an operator, who may use this server's account. */
    admin: async ({ operator = true } = {}) => {
      const { org, person } = await app.newUser({ role: 'owner', operator })
      const client = await app.withSession(person)
      const importNumber = (phoneNumber: string, fields: object = {}) =>
        client.phoneNumbers.import({ provider: 'twilio', phoneNumber, ...fields })
      return { org, person, client, importNumber }
    },
    connect: (person: Person, { sid, token }: Account, options: object = {}) =>
      insertConnection(app, person, 'twilio', {
        credentials: { accountSid: sid, authToken: token },
        ...options,
      }),
    runHourlyCheck: () =>
      checkNumbers({
        connectors: { twilio: { client: null, url: twilio.url, isDisabled: false, variables: [] } },
        accounts: {
          twilio: { accountSid: twilio.account.sid, authToken: twilio.account.token },
          elevenlabs: { apiKey: null, webhookSecret: null },
          openaiWebhookSecret: null,
        },
        publicUrl: app.url,
        log: { warn: () => {} },
      } as unknown as TelephonyOptions)(app.app.system()),
    close: async () => {
      await app.close()
      await twilio.close()
    },
  }
}
