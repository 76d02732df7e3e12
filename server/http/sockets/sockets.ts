import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { WebSocketServer } from 'ws'
import type { Origin, PublicContext } from '../../context.ts'
import { CLOSE, type OpenedSocket, type SocketRoute } from '../../endpoint/socket-route.ts'
import { ApiError, Busy, badRequest } from '../../errors.ts'
import type { Suspensions } from '../../suspensions/suspensions.ts'
import { refuseOtherSites } from '../authenticate.ts'
import { joinedHeaders, requestOrigin } from '../call.ts'
import { type LiveSocket, runSocket } from './socket-connection.ts'

const LIVENESS_CHECK_MS = 30_000
const HANDSHAKE_MS = 10_000
const CLOSE_MS = 3000
/** A text message is one frame, but a few more are legal. */
const FRAGMENTS_MAX = 64

export interface SocketsOptions {
  routes: readonly SocketRoute[]
  /** `orgId` is null until the organization is known. */
  contextFor: (
    origin: Origin,
    orgId: string | null,
  ) => PublicContext<'hooks' | 'mail' | 'objects' | 'outbound' | 'quotas' | 'suspensions' | 'vault'>
  suspensions: Pick<Suspensions, 'requireActive' | 'onSuspended'>
  publicUrl: string | null
  limits?: SocketLimits | undefined
  log: Logger
}

export interface Sockets {
  close: () => Promise<void>
}

interface Upgrade {
  socket: Duplex
  head: Buffer
}

/** Other upgrade requests are handled as ordinary ones. */
export function acceptsUpgrade(routes: readonly SocketRoute[]) {
  const paths = routes.map(({ path }) => new RegExp(`^${path.replace(/:[^/]+/g, '[^/?]+')}(\\?|$)`))
  return ({ method, headers, url = '' }: IncomingMessage): boolean =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    paths.some((path) => path.test(url))
}

/** Handshakes pass through Fastify, so origin, parameters, errors and headers work as usual. */
export function serveSockets(http: FastifyInstance, options: SocketsOptions): Sockets {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const openSockets = new Map<LiveSocket, string>()
  const slots = createSocketSlots(options.limits ?? SOCKET_LIMITS)
  let isClosing = false
  const livenessCheck = setInterval(() => {
    for (const socket of openSockets.keys()) socket.checkLiveness()
  }, LIVENESS_CHECK_MS).unref()
  options.suspensions.onSuspended((suspended) => {
    for (const [socket, orgId] of openSockets)
      if (orgId === suspended) socket.close(CLOSE.policy, 'the organization is suspended')
  })

  http.server.on('upgrade', (request, socket, head) => {
    upgrades.set(request, { socket, head })
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.on('finish', () => socket.end(() => socket.destroy()))
    http.routing(request, response)
  })

  for (const route of options.routes) mountSocket(route)

  function mountSocket(route: SocketRoute): void {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: route.bytesMax,
      maxFragments: FRAGMENTS_MAX,
      closeTimeout: CLOSE_MS,
    } as ConstructorParameters<typeof WebSocketServer>[0])
    http.get(route.path, { exposeHeadRoute: false }, async (request, reply) => {
      const upgrade = upgrades.get(request.raw)
      if (!upgrade) throw badRequest('This URL is for WebSockets')
      requireHandshake(request)
      refuseOtherSites(request, options.publicUrl)
      if (isClosing) throw new ApiError('UNAVAILABLE', 'The server is stopping: connect again')
      const origin = requestOrigin(request, options.publicUrl)
      const opened = await withinTime(
        route.open(options.contextFor(origin, null), requestOf(request, origin)),
      )
      const freeSlot = slots.take(opened.orgId)
      try {
        options.suspensions.requireActive(opened.orgId)
        const start = await withinTime(opened.accept(options.contextFor(origin, opened.orgId)))
        reply.hijack()
        ;(reply.raw as ServerResponse).detachSocket(upgrade.socket as never)
        connect(server, request, upgrade, start, {
          ...{ orgId: opened.orgId, freeSlot },
          bufferedBytesMax: route.bufferedBytesMax,
        })
      } catch (error) {
        freeSlot()
        throw error
      }
      return reply
    })
  }

  function connect(
    server: WebSocketServer,
    { raw, id }: FastifyRequest,
    { socket, head }: Upgrade,
    start: Awaited<ReturnType<OpenedSocket['accept']>>,
    {
      orgId,
      freeSlot,
      bufferedBytesMax,
    }: { orgId: string; freeSlot: () => void; bufferedBytesMax: number | undefined },
  ): void {
    const log = options.log.child({ requestId: id })
    let isConnected = false
    server.handleUpgrade(raw, socket, head, (webSocket) => {
      isConnected = true
      const live = runSocket(webSocket, start, { log, onClosed: freeSlot, bufferedBytesMax })
      openSockets.set(live, orgId)
      void live.closed.then(() => openSockets.delete(live))
      if (isClosing) live.close(CLOSE.restart, 'the server is stopping')
    })
    // The client disconnected during the handshake.
    if (!isConnected) freeSlot()
  }

  return {
    async close() {
      isClosing = true
      clearInterval(livenessCheck)
      const allClosed = Promise.all([...openSockets.keys()].map(({ closed }) => closed))
      for (const socket of openSockets.keys()) socket.close(CLOSE.restart, 'the server is stopping')
      const timeout = setTimeout(() => {
        for (const socket of openSockets.keys()) socket.terminate()
      }, CLOSE_MS)
      await allClosed
      clearTimeout(timeout)
    },
  }
}

/** RFC 6455. The library would refuse in another error format. */
function requireHandshake({ headers }: FastifyRequest): void {
  const key = headers['sec-websocket-key']
  if (headers['sec-websocket-version'] !== '13' || !key || !/^[+/0-9A-Za-z]{22}==$/.test(String(key)))
    throw badRequest('The headers are not a version 13 WebSocket handshake')
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ApiError('UNAVAILABLE', 'The handshake took too long: connect again')),
      HANDSHAKE_MS,
    )
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

const requestOf = (request: FastifyRequest, origin: Origin) => ({
  params: request.params as Record<string, string>,
  query: request.query as Record<string, unknown>,
  target: request.raw.url ?? '',
  headers: joinedHeaders(request),
  origin,
})

export interface SocketLimits {
  total: number
  perOrganization: number
}

const SOCKET_LIMITS: SocketLimits = { total: 2000, perOrganization: 500 }

function createSocketSlots({ total, perOrganization }: SocketLimits) {
  const counts = new Map<string, number>()
  let openCount = 0
  return {
    /** The returned function may be called twice. */
    take(orgId: string): () => void {
      const count = counts.get(orgId) ?? 0
      if (openCount >= total) throw new Busy('UNAVAILABLE', 'This server has too many open connections')
      if (count >= perOrganization)
        throw new Busy('RATE_LIMITED', 'This organization has too many open connections')
      openCount += 1
      counts.set(orgId, count + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        openCount -= 1
        const remaining = counts.get(orgId)! - 1
        if (remaining > 0) counts.set(orgId, remaining)
        else counts.delete(orgId)
      }
    },
    size: () => openCount,
  }
}
