import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultReply, takeFault } from './failures.ts'
import { carryOut } from './rest.ts'
import { type CarrierRequest, errorReply, type Reply, type State } from './state.ts'

export const serveRest = (state: State) =>
  serve(async (request, response) => {
    const parsed = await readRequest(request)
    state.requests.push(parsed)
    if (!isAuthenticated(state, parsed)) return send(response, errorReply(401, 20003, 'Authenticate'))
    const fault = takeFault(state, parsed)
    if (fault === 'lose-request') return void request.socket.destroy()
    const reply = typeof fault === 'object' && fault ? faultReply(fault) : carryOut(state, parsed)
    if (fault === 'lose-response') return void request.socket.destroy()
    send(response, reply)
  })

/** Must not receive the credentials. */
export const serveContent = (state: State) =>
  serve((request, response) => {
    state.contentRequests.push(request.headers as Record<string, string>)
    const medium = state.media.find(({ sid }) => request.url === `/${sid}`)
    send(response, medium ? { status: 200, content: medium.content } : { status: 404, json: {} })
  })

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

async function readRequest(request: IncomingMessage): Promise<CarrierRequest> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { pathname, searchParams: query } = new URL(request.url!, 'http://carrier')
  const [, account = '', path = ''] = /^\/2010-04-01\/Accounts\/(\w+)(?:\.json|\/(.*))$/.exec(pathname) ?? []
  return {
    method: request.method!,
    path,
    account,
    query,
    form: new URLSearchParams(body),
    headers: request.headers as Record<string, string>,
  }
}

function isAuthenticated({ accounts }: State, { account, headers }: CarrierRequest): boolean {
  const token = accounts.find(({ sid }) => sid === account)?.token
  const pair = Buffer.from(`${account}:${token}`).toString('base64')
  return token !== undefined && headers.authorization === `Basic ${pair}`
}

function send(response: ServerResponse, { status, json, content, location }: Reply): void {
  const type = content?.contentType ?? (json === undefined ? undefined : 'application/json')
  const length = content?.length
  const headers = { ...(type && { 'content-type': type }), ...(length && { 'content-length': length }) }
  response
    .writeHead(status, { ...headers, ...(location && { location }) })
    .end(content?.bytes ?? (json === undefined ? undefined : JSON.stringify(json)))
}
