import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as plainTest } from 'vitest'
import { createHome } from './testing/command.ts'

/** Each at home, so that they can wait side by side. */
const test = plainTest.extend('home', async ({ onTestFinished }) => {
  const home = await createHome()
  onTestFinished(home.remove)
  return home
})

type Answer = (response: ServerResponse) => void
const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const refusal = (error: string) => json(400, { error, error_description: error })
const hangUp: Answer = (response) => response.destroy()

/** A server that has these answers, one after the other, to whoever asks for the token, and no patience to teach. */
async function serverWith(answers: Answer[], { expires_in = 900 } = {}) {
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/token')) return answers[asked++]?.(response) ?? hangUp(response)
    const page = 'https://atrium.example.com/device'
    const codes = { device_code: 'd', user_code: 'BCDF-GHJK' }
    const uris = { verification_uri: page, verification_uri_complete: page }
    return json(200, { ...codes, ...uris, expires_in, interval: 0 })(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked: () => asked, close: () => server.close() }
}

test.concurrent.for<[string, Answer[], number, string, number]>([
  ['a denial ends it', [refusal('access_denied')], 4, 'denied', 1],
  ['expiry ends it', [refusal('authorization_pending'), refusal('expired_token')], 1, 'in time', 2],
  [
    'being asked to slow down does not end it',
    [refusal('slow_down'), refusal('access_denied')],
    4,
    'denied',
    2,
  ],
  ['a lost connection does not end it', [hangUp, refusal('access_denied')], 4, 'denied', 2],
  ['nonsense ends it', [json(200, { token: 'x' })], 1, 'is not an Atrium server', 1],
])('while login waits, %s', async ([, answers, exitCode, message, asked], { home }) => {
  const server = await serverWith(answers)
  const { code, stdout, stderr } = await home.run(['login', '--server', server.url])
  server.close()
  expect([code, stdout, server.asked()]).toEqual([exitCode, '', asked])
  expect(stderr).toContain(message)
})

test.concurrent('login stops by itself when the code has expired', async ({ home }) => {
  const server = await serverWith([], { expires_in: 0 })
  const { code, stderr } = await home.run(['login', '--server', server.url])
  server.close()
  expect([code, stderr]).toEqual([1, expect.stringContaining('in time')])
})
