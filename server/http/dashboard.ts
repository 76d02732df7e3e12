import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderUnknownRoute } from './errors.ts'
import { PAGE_HEADERS } from './headers.ts'

const FOLDER = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url))

/** Serves the built web app. Browsers cache hashed assets permanently and revalidate the page itself. */
export async function serveDashboard(http: FastifyInstance): Promise<void> {
  if (!existsSync(FOLDER)) {
    http.log.warn('The dashboard has not been built: run `npm run prepare`')
    http.setNotFoundHandler(renderUnknownRoute)
    return
  }
  await http.register(serveStatic, {
    root: FOLDER,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (/\.html(\.br|\.gz)?$/.test(path)) reply.headers(PAGE_HEADERS)
    },
  })
  http.setNotFoundHandler((request, reply) =>
    isPage(request) ? sendPage(reply) : renderUnknownRoute(request, reply),
  )
}

/** Every other URL belongs to the web app, which has its own "not found" page. */
function isPage(request: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(request.method) || request.url.startsWith('/api/')) return false
  return request.headers.accept?.includes('text/html') ?? false
}

const sendPage = (reply: FastifyReply) => reply.sendFile('index.html')
