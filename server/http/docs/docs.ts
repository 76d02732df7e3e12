import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../../route.ts'
import { sha256 } from '../../security/digest.ts'
import { PAGE_POLICY } from '../headers.ts'
import { etagOf, isFresh } from '../version.ts'
import { BASE } from './curl.ts'
import { escapeHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPage } from './page.ts'
import { referenceOf } from './reference.ts'

const DASHBOARD = new URL('../../../dashboard/', import.meta.url)
const STYLES = ['docs.css', 'contents.css', 'entries.css', 'code.css']

/** The API reference: a page for people at `/docs`, and the same as Markdown for agents at `/docs.md`. */
export function serveDocs(http: FastifyInstance, routes: Route[], publicUrl: string | null = null): void {
  const reference = referenceOf(routes.map(({ endpoint }) => endpoint))
  const page = renderPage(reference, { hasTheme: existsSync(new URL('dist/theme.js', DASHBOARD)) })
  const markdown = renderMarkdown(reference)
  const style = read('tokens.css', DASHBOARD) + STYLES.map((name) => read(name)).join('')
  const script = read('docs.js')
  /** The address the reader came by, so that the examples work from where they are. */
  const baseOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`

  const sendMarkdown = (request: FastifyRequest, reply: FastifyReply) =>
    send(
      request,
      reply,
      'text/markdown',
      markdown.replaceAll(BASE, () => baseOf(request)),
    )

  http.get('/docs', async (request, reply) => {
    reply.header('vary', 'accept')
    if (request.headers.accept?.includes('text/markdown')) return sendMarkdown(request, reply)
    reply.header('content-security-policy', PAGE_POLICY)
    return send(
      request,
      reply,
      'text/html',
      page.replaceAll(BASE, () => escapeHtml(baseOf(request))),
    )
  })
  http.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  http.get('/docs.md', async (request, reply) => sendMarkdown(request, reply))
  http.get('/docs/docs.css', async (request, reply) => send(request, reply, 'text/css', style))
  http.get('/docs/docs.js', async (request, reply) => send(request, reply, 'text/javascript', script))
}

const read = (name: string, folder: string | URL = import.meta.url) =>
  readFileSync(new URL(name, folder), 'utf8')

function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string): FastifyReply {
  const etag = etagOf(sha256(body).toString('base64url'))
  reply.headers({ etag, 'cache-control': 'no-cache' })
  if (isFresh(request, etag)) return reply.status(304).send()
  return reply.type(`${type}; charset=utf-8`).send(body)
}
