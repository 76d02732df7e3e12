import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { lazy } from '../../concurrency/lazy.ts'
import { notFound, raise } from '../../errors.ts'
import { prepareText, sendCompressed } from '../compress.ts'
import { requestPath } from '../errors.ts'
import { PAGE_HEADERS } from '../headers.ts'
import { BASE } from './curl.ts'
import { escapeHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'
import { renderIndex, renderResource } from './page.ts'
import { buildReference } from './reference.ts'

const DASHBOARD = new URL('../../../dashboard/', import.meta.url)
const STYLES = [
  new URL('tokens.css', DASHBOARD),
  new URL('./docs.css', import.meta.url),
  new URL('./contents.css', import.meta.url),
  new URL('./entries.css', import.meta.url),
  new URL('./code.css', import.meta.url),
]
const SCRIPT = new URL('./docs.js', import.meta.url)

/** A start page at `/docs`, a page per resource, and one Markdown file for agents. */
export function serveDocs(
  http: FastifyInstance,
  endpoints: Endpoint[],
  publicUrl: string | null = null,
): void {
  const reference = lazy(() => buildReference(endpoints))
  const hasTheme = existsSync(new URL('dist/theme.js', DASHBOARD))
  const index = lazy(() => renderIndex(reference(), { hasTheme }))
  const pages = new Map<string, string>()
  const markdown = lazy(() => renderMarkdown(reference()))
  // The dashboard build turns tokens into page variables.
  const style = lazy(() => prepareText(STYLES.map(read).join('\n').replace('@theme static', ':root')))
  const script = lazy(() => prepareText(read(SCRIPT)))
  /** Makes pasted examples work. */
  const baseOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`

  const sendMarkdown = (request: FastifyRequest, reply: FastifyReply) => {
    const body = markdown().replaceAll(BASE, () => baseOf(request))
    return sendCompressed(request, reply, 'text/markdown', prepareText(body))
  }

  const sendPage = (request: FastifyRequest, reply: FastifyReply, page: string) => {
    const body = page.replaceAll(BASE, () => escapeHtml(baseOf(request)))
    return sendCompressed(request, reply.headers(PAGE_HEADERS), 'text/html', prepareText(body))
  }

  http.get('/docs', async (request, reply) => {
    reply.header('vary', 'accept')
    if (request.headers.accept?.includes('text/markdown')) return sendMarkdown(request, reply)
    return sendPage(request, reply, index())
  })
  http.get<{ Params: { resource: string } }>('/docs/:resource', async (request, reply) => {
    const { resource } = request.params
    const group =
      reference().find(({ id }) => id === resource) ?? raise(notFound(`GET ${requestPath(request)}`))
    const page = pages.get(resource) ?? renderResource(reference(), group, { hasTheme })
    pages.set(resource, page)
    return sendPage(request, reply, page)
  })
  http.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308))
  http.get('/docs.md', async (request, reply) => sendMarkdown(request, reply))
  http.get('/docs/docs.css', async (request, reply) => sendCompressed(request, reply, 'text/css', style()))
  http.get('/docs/docs.js', async (request, reply) =>
    sendCompressed(request, reply, 'text/javascript', script()),
  )
}

const read = (file: URL) => readFileSync(file, 'utf8')
