import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SourceKind } from '../../../contract/knowledge/source-options.ts'

/** One set of documents, served in the protocol of each service that sources sync from. */

export interface Doc {
  id: string
  path: string
  content: string
  revision: number
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

interface Asked {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a request of any shape
  json: any
  body: string
}

/** Null: the service answers. `hang`: never answered. */
type Fault = (asked: Asked) => Answer | 'hang' | 'cut' | null

export type SyncService = Awaited<ReturnType<typeof startSyncService>>

/** Small pages, so that listings have several. */
const PAGE = 3

export async function startSyncService(kind: SourceKind) {
  const docs = new Map<string, Doc>()
  const requests: string[] = []
  let fault: Fault = () => null
  let count = 0
  let changes = 1
  let origin = ''
  let pauseMs = 0

  const server = createServer((request, response) => void respond(request, response))
  async function respond(request: IncomingMessage, response: import('node:http').ServerResponse) {
    const body = await text(request)
    const url = new URL(request.url!, origin)
    const json = body.startsWith('{') ? JSON.parse(body) : null
    const asked = { method: request.method!, url, headers: request.headers, json, body }
    requests.push(`${asked.method} ${url.pathname}${url.search}`)
    if (pauseMs > 0) await sleep(pauseMs)
    const failed = fault(asked)
    if (failed === 'hang') return
    if (failed === 'cut') {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' })
      response.write('cut')
      return void setTimeout(() => response.destroy(), 5)
    }
    const answer = failed ?? SERVICES[kind](asked, service)
    const isRaw = typeof answer.body === 'string' || Buffer.isBuffer(answer.body)
    response
      .writeHead(answer.status ?? 200, {
        'content-type': isRaw ? 'text/plain; charset=utf-8' : 'application/json',
        ...answer.headers,
      })
      .end(isRaw ? (answer.body as string | Buffer) : JSON.stringify(answer.body))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const find = (path: string) => [...docs.values()].find((doc) => doc.path === path)
  const service = {
    kind,
    url: origin,
    docs,
    requests,
    write(path: string, content: string): void {
      const known = find(path)
      changes++
      // As Notion's ids, which are UUIDs.
      const id =
        kind === 'github' || kind === 'website'
          ? path
          : kind === 'confluence'
            ? (known?.id ?? String(100_000 + ++count))
            : (known?.id ?? `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`)
      docs.set(id, { id, path, content, revision: (known?.revision ?? 0) + 1 })
    },
    remove(path: string): void {
      changes++
      docs.delete(find(path)!.id)
    },
    move(path: string, to: string): void {
      const doc = find(path)!
      changes++
      if (doc.id === path) {
        docs.delete(path)
        docs.set(to, { ...doc, id: to, path: to })
      } else docs.set(doc.id, { ...doc, path: to, revision: doc.revision + 1 })
    },
    /** What the folder should contain, by path. */
    contents: () =>
      Object.fromEntries([...docs.values()].map(({ path, content }) => [path, content] as const).toSorted()),
    position: () => changes,
    /** For every answer. */
    slowDown(ms: number): void {
      pauseMs = ms
    },
    failWith(next: Fault): void {
      fault = next
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } }
const hash = (value: string) => createHash('sha1').update(value).digest('hex')
const sorted = ({ docs }: SyncService) => [...docs.values()].toSorted((a, b) => a.id.localeCompare(b.id))
const page = (items: unknown[], at: number) => ({
  part: items.slice(at, at + PAGE),
  next: at + PAGE < items.length ? at + PAGE : null,
})
const foldersOf = (path: string) => path.split('/').slice(0, -1)
const nameOf = (path: string) => path.split('/').at(-1)!

/** Folders and files directly in a folder. */
function childrenOf(service: SyncService, folder: string) {
  const prefix = folder === '' ? '' : `${folder}/`
  const inside = sorted(service).filter(({ path }) => path.startsWith(prefix))
  const folders = inside.flatMap(({ path }) => {
    const rest = path.slice(prefix.length).split('/')
    return rest.length > 1 ? [prefix + rest[0]!] : []
  })
  return {
    folders: [...new Set(folders)],
    files: inside.filter(({ path }) => !path.slice(prefix.length).includes('/')),
  }
}

const SERVICES: Record<SourceKind, (asked: Asked, service: SyncService) => Answer> = {
  github({ url: { pathname, searchParams } }, service) {
    const path = pathname.replace(/^\/(api\/v3\/)?repos\/acme\/handbook/, '')
    if (path === '') return { body: { default_branch: 'main' } }
    const root = `t${service.position()}`.padEnd(40, '0')
    if (path === '/commits/main') return { body: { sha: hash(root), commit: { tree: { sha: root } } } }
    const [, kind, sha] = /^\/git\/(trees|blobs)\/(.+)$/.exec(path) ?? []
    if (kind === 'blobs') {
      const doc = sorted(service).find(({ content }) => hash(content) === sha)
      return doc ? { body: doc.content } : NOT_FOUND
    }
    if (kind !== 'trees') return NOT_FOUND
    const folder = sha === root ? '' : Buffer.from(sha!.slice(2), 'hex').toString()
    const blob = (doc: Doc, name: string) => ({
      ...{ type: 'blob', path: name, sha: hash(doc.content), size: doc.content.length },
    })
    // Like a repository that is too large for one answer.
    if (searchParams.has('recursive')) {
      const below = sorted(service).filter(({ path: each }) =>
        each.startsWith(folder === '' ? '' : `${folder}/`),
      )
      if (below.length > PAGE * 2) return { body: { truncated: true, tree: [] } }
      const cut = folder === '' ? 0 : folder.length + 1
      return { body: { truncated: false, tree: below.map((doc) => blob(doc, doc.path.slice(cut))) } }
    }
    const { folders, files } = childrenOf(service, folder)
    return {
      body: {
        truncated: false,
        tree: [
          ...folders.map((each) => ({
            ...{ type: 'tree', path: nameOf(each), sha: `fo${Buffer.from(each).toString('hex')}` },
          })),
          ...files.map((doc) => blob(doc, nameOf(doc.path))),
        ],
      },
    }
  },

  website({ url, headers }, service) {
    const { pathname, origin } = url
    if (pathname === '/robots.txt')
      return { body: `User-agent: *\nDisallow: /secret/\nSitemap: ${origin}/sitemap.xml\n` }
    const docs = sorted(service)
    const pages = Math.ceil(docs.length / PAGE)
    if (pathname === '/sitemap.xml') {
      const parts = Array.from(
        { length: pages },
        (_, n) => `<sitemap><loc>${origin}/map-${n}.xml</loc></sitemap>`,
      )
      return { body: `<?xml version="1.0"?><sitemapindex xmlns="x">${parts.join('')}</sitemapindex>` }
    }
    const [, part] = /^\/map-(\d+)\.xml$/.exec(pathname) ?? []
    if (part !== undefined) {
      const urls = docs
        .slice(Number(part) * PAGE, Number(part) * PAGE + PAGE)
        .map(({ path }) => `<url><loc>${origin}/${path}</loc></url>`)
      return { body: `<urlset>${urls.join('\n')}</urlset>` }
    }
    const doc = service.docs.get(decodeURIComponent(pathname.slice(1)))
    if (!doc) return NOT_FOUND
    const etag = `"${hash(doc.content)}"`
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' }
    return { body: doc.content, headers: { etag } }
  },

  notion({ url: { pathname }, json }, service) {
    const docs = sorted(service)
    const folders = [...new Set(docs.flatMap(({ path }) => foldersOf(path)))]
    const folderId = (name: string) =>
      `f0000000-0000-4000-8000-${String(folders.indexOf(name)).padStart(12, '0')}`
    const title = (plain: string) => ({ title: { type: 'title', title: [{ plain_text: plain }] } })
    const inFolder = (names: string[]) =>
      names.length === 0
        ? { type: 'workspace', workspace: true }
        : { type: 'database_id', database_id: folderId(names.at(-1)!) }
    const pageOf = (doc: Doc) => ({
      ...{ object: 'page', id: doc.id, in_trash: false },
      last_edited_time: new Date(1_700_000_000_000 + doc.revision * 60_000).toISOString(),
      parent: inFolder(foldersOf(doc.path)),
      properties: { Name: title(nameOf(doc.path).replace(/\.md$/, '')).title },
    })
    if (pathname === '/v1/search') {
      const { part, next } = page(docs, Number(json.start_cursor ?? 0))
      return {
        body: {
          results: (part as Doc[]).map(pageOf),
          ...{ has_more: next !== null, next_cursor: next === null ? null : String(next) },
        },
      }
    }
    const [, kind, id, rest] = /^\/v1\/(pages|databases)\/([^/]+)(\/markdown)?$/.exec(pathname) ?? []
    if (kind === 'databases') {
      const name = folders.find((each) => folderId(each) === id)
      const path = docs.map((doc) => foldersOf(doc.path)).find((each) => each.includes(name!))
      return name && path
        ? {
            body: {
              object: 'database',
              id,
              title: [{ plain_text: name }],
              parent: inFolder(path.slice(0, path.indexOf(name))),
            },
          }
        : NOT_FOUND
    }
    const doc = service.docs.get(id ?? '')
    if (!doc) return NOT_FOUND
    return { body: rest ? { object: 'page_markdown', markdown: doc.content, truncated: false } : pageOf(doc) }
  },

  google_drive({ url: { pathname, searchParams } }, service) {
    if (pathname === '/drive/v3/changes/startPageToken')
      return { body: { startPageToken: String(service.position()) } }
    if (pathname === '/drive/v3/changes') {
      const isSame = searchParams.get('pageToken') === String(service.position())
      return {
        body: { changes: isSame ? [] : [{ fileId: 'x' }], newStartPageToken: String(service.position()) },
      }
    }
    const folder = (path: string) =>
      path === '' ? 'rootfolder' : `folder-${Buffer.from(path).toString('hex')}`
    if (pathname === '/drive/v3/files') {
      const [, id] = /^'([\w-]+)' in parents/.exec(searchParams.get('q')!)!
      const path = id === 'rootfolder' ? '' : Buffer.from(id!.slice(7), 'hex').toString()
      const { folders, files } = childrenOf(service, path)
      const all = [
        ...folders.map((each) => ({
          ...{ id: folder(each), name: nameOf(each), mimeType: 'application/vnd.google-apps.folder' },
        })),
        ...files.map((doc) => ({
          ...{
            id: doc.id,
            name: nameOf(doc.path),
            mimeType: 'text/markdown',
            md5Checksum: hash(doc.content),
          },
        })),
      ]
      const { part, next } = page(all, Number(searchParams.get('pageToken') ?? 0))
      return { body: { files: part, ...(next !== null && { nextPageToken: String(next) }) } }
    }
    const id = pathname.replace('/drive/v3/files/', '')
    if (id === 'rootfolder')
      return { body: { id, mimeType: 'application/vnd.google-apps.folder', trashed: false } }
    const doc = service.docs.get(id)
    return doc ? { body: doc.content } : NOT_FOUND
  },

  dropbox({ url: { pathname }, json, headers }, service) {
    const position = () => `at-${service.position()}`
    if (pathname === '/2/files/list_folder/get_latest_cursor') return { body: { cursor: position() } }
    if (pathname.startsWith('/2/files/list_folder')) {
      const cursor = (json.cursor as string | undefined) ?? 'page-0'
      if (cursor.startsWith('at-'))
        return {
          body: { entries: cursor === position() ? [] : [{ '.tag': 'deleted' }], has_more: false, cursor },
        }
      const entries = sorted(service).map((doc) => ({
        ...{
          '.tag': 'file',
          id: `id:${doc.id}`,
          path_display: `/Handbook/${doc.path}`,
          rev: String(doc.revision),
        },
        ...{ content_hash: hash(doc.content), size: doc.content.length, is_downloadable: true },
      }))
      const { part, next } = page(entries, Number(cursor.slice(5)))
      return { body: { entries: part, has_more: next !== null, cursor: `page-${next ?? 'end'}` } }
    }
    const { path } = JSON.parse(String(headers['dropbox-api-arg']))
    const doc = service.docs.get(String(path).slice(3))
    return doc ? { body: doc.content } : { status: 409, body: { error_summary: 'path/not_found/..' } }
  },

  confluence({ url: { pathname, searchParams } }, service) {
    const path = pathname.replace(/^.*\/wiki\/api\/v2/, '')
    const docs = sorted(service)
    const folders = [...new Set(docs.flatMap(({ path: each }) => foldersOf(each)))]
    const parentOf = (names: string[]) =>
      names.length === 0 ? '1' : String(1000 + folders.indexOf(names.at(-1)!))
    const pageOf = (doc: Doc) => ({
      ...{ id: doc.id, title: nameOf(doc.path).replace(/\.md$/, ''), spaceId: '7', status: 'current' },
      ...{ parentId: parentOf(foldersOf(doc.path)), parentType: 'page', version: { number: doc.revision } },
    })
    if (path === '/spaces') return { body: { results: [{ id: '7', key: 'DOCS', homepageId: '1' }] } }
    if (path === '/spaces/7/pages') {
      const { part, next } = page(docs, Number(searchParams.get('cursor') ?? 0))
      const links = next === null ? {} : { next: `/wiki/api/v2/spaces/7/pages?cursor=${next}` }
      return { body: { results: (part as Doc[]).map(pageOf), _links: links } }
    }
    const id = path.replace('/pages/', '')
    const name = folders[Number(id) - 1000]
    if (name !== undefined) {
      const above = docs.map((doc) => foldersOf(doc.path)).find((each) => each.includes(name))!
      const parentId = parentOf(above.slice(0, above.indexOf(name)))
      return { body: { id, title: name, status: 'current', spaceId: '7', parentId, parentType: 'page' } }
    }
    const doc = service.docs.get(id)
    if (!doc) return NOT_FOUND
    const value = `<p>${doc.content}</p>`
    return { body: { ...pageOf(doc), body: { storage: { value, representation: 'storage' } } } }
  },

  sharepoint({ url: { pathname, searchParams, origin } }, service) {
    const path = pathname.replace('/v1.0', '')
    if (path.startsWith('/shares/'))
      return { body: { id: 'root', folder: {}, parentReference: { driveId: 'd1' } } }
    if (path === '/drives/d1/root/delta') {
      const token = String(service.position())
      const isSame = [token, 'latest'].includes(searchParams.get('token')!)
      const link = `https://graph.microsoft.com/v1.0/drives/d1/root/delta?token=${token}`
      return { body: { value: isSame ? [] : [{ id: 'x' }], '@odata.deltaLink': link } }
    }
    const [, id, rest] = /^\/drives\/d1\/items\/([^/]+)\/(children|content)$/.exec(path) ?? []
    if (rest === 'children') {
      const folder = id === 'root' ? '' : Buffer.from(id!.slice(1), 'hex').toString()
      const { folders, files } = childrenOf(service, folder)
      const all = [
        ...folders.map((each) => ({
          id: `f${Buffer.from(each).toString('hex')}`,
          name: nameOf(each),
          folder: {},
        })),
        ...files.map((doc) => ({ id: doc.id, name: nameOf(doc.path), file: {}, cTag: hash(doc.content) })),
      ]
      const { part, next } = page(all, Number(searchParams.get('$skiptoken') ?? 0))
      const link = `https://graph.microsoft.com/v1.0/x?$skiptoken=${next}`
      return { body: { value: part, ...(next !== null && { '@odata.nextLink': link }) } }
    }
    if (rest === 'content' && service.docs.has(id!))
      return { status: 302, headers: { location: `${origin}/storage/${id}` }, body: '' }
    const doc = service.docs.get(pathname.replace('/storage/', ''))
    return doc ? { body: doc.content } : NOT_FOUND
  },
}
