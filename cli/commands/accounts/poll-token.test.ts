import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as plainTest } from 'vitest'
import { createHome } from '../../testing/command.ts'

/** Each test has its own home folder, so that tests can wait concurrently. */
const test = plainTest.extend('home', async ({ onTestFinished }) => {
  const home = await createHome()
  onTestFinished(home.remove)
  return home
})

type Reply = (response: ServerResponse) => void
const replyJson =
  (status: number, body: unknown): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const oauthError = (error: string) => replyJson(400, { error, error_description: error })
const disconnect: Reply = (response) => response.destroy()

/** A server that answers token requests with these replies in turn, at a polling interval of zero. */
async function startServer(replies: Reply[], { expires_in = 900 } = {}) {
  let polls = 0
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/token')) return replies[polls++]?.(response) ?? disconnect(response)
    const page = 'https://atrium.example.com/device'
    const codes = { device_code: 'd', user_code: 'BCDF-GHJK' }
    const uris = { verification_uri: page, verification_uri_complete: page }
    return replyJson(200, { ...codes, ...uris, expires_in, interval: 0 })(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, polls: () => polls, close: () => server.close() }
}

test.concurrent.for<[string, Reply[], number, string, number]>([
  ['stops after a denial', [oauthError('access_denied')], 4, 'denied', 1],
  [
    'stops after the code expires',
    [oauthError('authorization_pending'), oauthError('expired_token')],
    1,
    'in time',
    2,
  ],
  ['continues after slow_down', [oauthError('slow_down'), oauthError('access_denied')], 4, 'denied', 2],
  ['continues after a lost connection', [disconnect, oauthError('access_denied')], 4, 'denied', 2],
  ['stops after an invalid response', [replyJson(200, { token: 'x' })], 1, 'is not an Atrium server', 1],
])('atrium login %s', async ([, replies, exitCode, message, polls], { home }) => {
  const server = await startServer(replies)
  const { code, stdout, stderr } = await home.run(['login', '--server', server.url])
  server.close()
  expect([code, stdout, server.polls()]).toEqual([exitCode, '', polls])
  expect(stderr).toContain(message)
})

test.concurrent('atrium login stops when the code expires on the client', async ({ home }) => {
  const server = await startServer([], { expires_in: 0 })
  const { code, stderr } = await home.run(['login', '--server', server.url])
  server.close()
  expect([code, stderr]).toEqual([1, expect.stringContaining('in time')])
})
