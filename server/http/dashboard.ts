import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyStaticOptions } from '@fastify/static'
import serveStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, type Language } from '../../contract/languages.ts'
import { renderUnknownRoute, requestPath } from './errors.ts'
import { FRAME_HEADERS, PAGE_HEADERS } from './headers.ts'
import { pageLanguage } from './page-language.ts'

const FOLDER = fileURLToPath(new URL('../../dashboard/dist/', import.meta.url))
const ASSETS = 'assets'
const FRAMES = join(FOLDER, 'frames/')

/** Browsers cache hashed assets permanently and revalidate the page. */
export async function serveDashboard(http: FastifyInstance): Promise<void> {
  if (!existsSync(FOLDER)) {
    http.log.warn('The dashboard has not been built: run `npm run prepare`')
    http.setNotFoundHandler(renderUnknownRoute)
    return
  }
  const common: FastifyStaticOptions = {
    root: FOLDER,
    index: false,
    preCompressed: true,
    cacheControl: false,
  }
  await http.register(serveStatic, {
    ...common,
    wildcard: false,
    globIgnore: [`${ASSETS}/**`],
    setHeaders(reply, path) {
      reply.header('cache-control', 'no-cache')
      if (path.startsWith(FRAMES)) reply.headers(FRAME_HEADERS)
      else if (/\.html(\.br|\.gz)?$/.test(path)) reply.headers(PAGE_HEADERS)
    },
  })
  // Hundreds of routes took a quarter of the startup CPU time.
  await http.register(serveStatic, {
    ...common,
    root: join(FOLDER, ASSETS),
    prefix: `/${ASSETS}/`,
    decorateReply: false,
    // For folders, the library responds 400 to clients that accept no compression.
    allowedPath: (path) => !path.endsWith('/'),
    setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
  })
  const pages = await readPages()
  http.setNotFoundHandler((request, reply) => {
    if (!isPage(request)) return renderUnknownRoute(request, reply)
    const language = pageLanguage(request, [...pages.keys()]) ?? DEFAULT_LANGUAGE
    const { file, html } = pages.get(language)!
    reply.headers({ 'content-language': language, vary: 'accept-language, cookie' })
    const preview = withPreview(html, requestPath(request))
    // The path contains the link's token, and proxies log referrers.
    if (SHARE_PAGE.test(requestPath(request)))
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
    if (AUTHORIZE_PAGE.test(requestPath(request))) return sendHtml(reply, html, AUTHORIZE_HEADERS)
    return preview === null ? reply.sendFile(file) : sendHtml(reply, preview)
  })
}

/** English first: `index.html`, `index.de.html`. */
async function readPages(): Promise<Map<Language, { file: string; html: string }>> {
  const files = ['index.html', ...(await readdir(FOLDER)).filter((name) => /^index\.\w+\.html$/.test(name))]
  const pages = files.map(async (file) => {
    const [, language] = file.split('.')
    const html = await readFile(join(FOLDER, file), 'utf8')
    return [language === 'html' ? DEFAULT_LANGUAGE : (language as Language), { file, html }] as const
  })
  return new Map(await Promise.all(pages))
}

/**
 * Other URLs belong to the web app, with its own "not found" page. Monitors, link previews and curl accept any type, so
 * the path decides: a missing file or API route is an error unless a browser requests a page.
 */
function isPage(request: FastifyRequest): boolean {
  const path = requestPath(request)
  if (!['GET', 'HEAD'].includes(request.method) || /^\/api(\/|$)/.test(path)) return false
  return !NOT_A_PAGE.test(path) || (request.headers.accept?.includes('text/html') ?? false)
}

const SHARE_PAGE = /^\/[sf](\/|$)/

const AUTHORIZE_PAGE = /^\/authorize\/?$/
/**
 * The query contains an app's state, so no referrer. Browser apps open this as a popup and wait for its return: letting
 * another origin's window refer to it exposes no contents.
 */
const AUTHORIZE_HEADERS = { 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'unsafe-none' }

const NOT_A_PAGE = /^\/(assets|\.well-known)(\/|$)|\.\w+$/

const sendHtml = (reply: FastifyReply, html: string, headers: Record<string, string> = {}) =>
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .headers({ ...PAGE_HEADERS, ...headers })
    .send(html)

/** Reveals nothing about the link's target. */
interface LinkedPage {
  path: RegExp
  title: string
  description: string
}

const LINKED_PAGES: LinkedPage[] = [
  {
    path: /^\/s(\/|$)/,
    title: 'Shared project · Atrium',
    description: 'Open this link to view a project that was shared with you.',
  },
  {
    path: /^\/f(\/|$)/,
    title: 'Shared file · Atrium',
    description: 'Open this link to view a file that was shared with you.',
  },
  {
    path: /^\/(invite|join)$/,
    title: 'Invitation · Atrium',
    description: 'Open this link to join an organization in Atrium.',
  },
  {
    path: /^\/device$/,
    title: 'Device login · Atrium',
    description: 'Open this link to approve a device sign-in.',
  },
]

function withPreview(html: string, path: string): string | null {
  const page = LINKED_PAGES.find((each) => each.path.test(path))
  if (!page) return null
  const { title, description } = page
  return html
    .replace(/<title>[^<]*<\/title>/, `<title>${title}</title>\n    <meta name="robots" content="noindex" />`)
    .replace(/(<meta property="og:title" content=")[^"]*/, `$1${title}`)
    .replace(/(<meta (?:name="description"|property="og:description") content=")[^"]*/g, `$1${description}`)
}
