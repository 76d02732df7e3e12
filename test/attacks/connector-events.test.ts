import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../server/errors.ts'
import { builtIn } from '../../server/features/connections/connectors/catalog/catalog.ts'
import { createTarget } from '../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import {
  buildRequest,
  isUnsendable,
} from '../../server/features/connections/connectors/requests/build-request.ts'
import { renewAll } from '../../server/features/connections/endpoints/setup/renew.ts'
import { requireFields } from '../../server/features/connections/endpoints/validate.ts'
import {
  buildEndpointApp,
  type EndpointApp,
  telegramEndpoint,
  telegramUpdate,
} from '../../server/testing/clients/endpoint-app.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { captureLog } from '../../server/testing/log.ts'

const log = captureLog()
let app: EndpointApp
let elsewhere: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  elsewhere = await startReceiver()
  app = await buildEndpointApp({ log: log.stream })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await elsewhere.close()
})

/** Every row of every table, as text. */
async function allRows(): Promise<string> {
  const tables = await app.sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`
  const rows = await Promise.all(
    tables.map(({ name }) => app.sql.unsafe(`select t::text as row from ${name} t`)),
  )
  return JSON.stringify(rows)
}

describe('hostile provider', () => {
  test('cannot redirect the server to another host, and no log, row, mail or response has the token or secret', async () => {
    const first = await telegramEndpoint(app, { reply: 'auto' })
    const second = await telegramEndpoint(app, { reply: 'auto' })
    const responses: unknown[] = []
    // The token is part of the URL: the provider repeats it in errors, and sends the server elsewhere with it.
    app.answerWith((path) =>
      path.includes('/sendMessage')
        ? { status: 400, json: { ok: false, error_code: 400, description: `cannot ${path}` } }
        : { status: 307, json: {}, headers: { location: `${elsewhere.url}${path}` } },
    )
    await first.send(telegramUpdate(1, 'hello'))
    await expect.poll(async () => (await first.events())[0]?.reply?.status).toBe('failed')
    // The secret of an endpoint, sent to another endpoint and as the text of a message.
    const stolen = await second.send(telegramUpdate(2, first.secret, { chat: 6 }), first.secret)
    expect(stolen.status).toBe(401)
    responses.push(stolen.text)
    await app.sql`update connector_endpoints set registration_due_at = now()`
    await renewAll(app.endpointOptions)(app.app.system())
    for (const { client, endpoint, connectionId } of [first, second]) {
      const { id } = endpoint
      responses.push(
        await client.connectorEndpoints.test({ id }),
        await client.connectorEndpoints.get({ id }),
        await client.connectorEndpoints.events({ id }),
        await client.connections.check({ id: connectionId }),
        await client.connections.calls({ id: connectionId }),
      )
    }
    const { client: operator } = await app.operator()
    responses.push(await operator.connectorEndpoints.observeEndpoints({}))
    const everything = JSON.stringify([responses, log.lines]) + (await allRows())
    expect(everything).toContain('cannot /bot[redacted]/sendMessage')
    const token = '123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    for (const secret of [token, first.secret, second.secret])
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        expect(everything.includes(form), form).toBe(false)
    expect(elsewhere.requests).toEqual([])
  })
})

const HOSTILE_VALUES = [
  '..',
  '../../admin',
  'a/../../b',
  '//evil.example',
  'https://evil.example/x',
  '@evil.example',
  'a@evil.example',
  'x?admin=1',
  'x#y',
  '%2e%2e%2fadmin',
  'a\\..\\b',
  'x\r\nhost: evil.example',
  '{credentials.token}',
]

/** The connectors that register endpoints with fields that a person enters. */
const WITH_FIELDS = builtIn.flatMap((definition) => {
  const { slug, receiver } = definition
  const setup = receiver?.setup
  return setup?.by === 'api' && setup.fields ? [{ slug, definition, receiver: receiver!, setup }] : []
})

test.each(WITH_FIELDS)(
  'an endpoint field for $slug reaches no other host or path',
  ({ definition, receiver, setup }) => {
    const target = createTarget(definition)
    const registrationUrl = (config: Record<string, string>) => {
      const endpoint = { url: 'https://atrium.example/e', secret: 's', events: [], config, now: new Date() }
      return new URL(buildRequest(target, setup.register(endpoint).request, {}).url)
    }
    let refused = 0
    for (const value of HOSTILE_VALUES) {
      try {
        const keys = setup.fields!.map(({ key }) => key)
        const { host, pathname } = registrationUrl(
          requireFields(receiver, Object.fromEntries(keys.map((key) => [key, value]))),
        )
        expect(host).not.toContain('evil')
        expect(decodeURIComponent(pathname).split(/[/\\]/)).not.toContain('..')
      } catch (error) {
        if (!(error instanceof ApiError) && !isUnsendable(error)) throw error
        refused++
      }
    }
    expect(refused).toBeGreaterThan(0)
  },
)
