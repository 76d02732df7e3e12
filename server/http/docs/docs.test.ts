import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SCOPE_NAMES } from '../../../contract/accounts/scopes.ts'
import { type Endpoint, endpoint, member } from '../../../contract/endpoint.ts'
import { ERROR_STATUS } from '../../../contract/errors.ts'
import { endpoints } from '../../../contract/index.ts'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'
import { PAGE_HEADERS } from '../headers.ts'
import { serveDocs } from './docs.ts'
import { CONVENTIONS, GETTING_STARTED } from './guide.ts'
import { renderMarkdown } from './markdown.ts'
import { renderResource } from './page.ts'
import { buildReference } from './reference.ts'

const GROUPS = buildReference(endpoints)

let app: TestApp
let index: string
/** The pages of all resources. */
const resources = new Map<string, string>()
/** Their texts without tags, computed once: the index and the largest page have a megabyte. */
const texts = new Map<string, string>()
let indexText: string
let allText: string
let markdown: string
beforeAll(async () => {
  app = await shareTestApp()
  index = (await app.request('GET', '/docs')).text
  for (const { id } of GROUPS) resources.set(id, (await app.request('GET', `/docs/${id}`)).text)
  markdown = (await app.request('GET', '/docs.md')).text
  for (const [id, page] of resources) texts.set(id, textOf(page.slice(page.indexOf('<main'))))
  indexText = textOf(index)
  allText = textOf([index, ...resources.values()].join('\n'))
})

const pathOf = ({ path }: Endpoint) => path.replace(/:(\w+)/g, '{$1}')
const textOf = (html: string) =>
  html.replaceAll(/<wbr>|<[^>]+>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
const attributes = (page: string, name: string) =>
  [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value!)

describe('API reference', () => {
  test.each(endpoints.map((item) => [`${item.method} ${pathOf(item)}`, item] as const))(
    'lists %s on its resource page, in the index and in the Markdown',
    (name, { summary }) => {
      const { id } = GROUPS.find(({ operations }) =>
        operations.some(({ method, path }) => `${method} ${path}` === name),
      )!
      for (const text of [texts.get(id)!, markdown]) {
        expect(text).toContain(name)
        expect(text).toContain(summary)
      }
      // The index lists it, so that the search of every page finds it.
      expect(indexText).toContain(summary)
    },
  )

  test.each([...Object.keys(ERROR_STATUS), ...SCOPE_NAMES])('explains %s', (term) => {
    expect(allText).toContain(term)
    expect(markdown).toContain(term)
  })

  test.each(GROUPS.flatMap(({ operations }) => operations))(
    '$method $path has an example that the contract accepts (state a better one with .meta({ examples: [...] }))',
    ({ method, path, curl, example }) => {
      const { body, output, envelope, bytes, redirects } = endpoints.find(
        (item) => item.method === method && pathOf(item) === path,
      )!
      const sentBody = /-d '(.*)'$/s.exec(curl)?.[1]
      if (body) expect(body.safeParse(JSON.parse(sentBody!.replaceAll(`'\\''`, "'"))).error).toBeUndefined()
      else expect(sentBody).toBeUndefined()
      const hasJson = !redirects && (bytes === undefined || bytes === 'sometimes')
      const response = hasJson ? JSON.parse(example) : null
      expect(output.safeParse(envelope ? response.data : response).error).toBeUndefined()
      expect(curl).not.toMatch(/undefined|[{]\w+[}]\//)
    },
  )
})

describe('the guide', () => {
  const guide = JSON.stringify([GETTING_STARTED, CONVENTIONS])

  test.each([...new Set(guide.match(/\/api\/v1\/[\w/<>-]+/g))])('references %s, which exists', (path) => {
    expect(endpoints.map((item) => item.path)).toContain(path.replace(/<(\w+)>/g, ':$1'))
  })

  test.each([...new Set(guide.match(/(?<=\]\(#)[\w-]+/g))])('has the heading #%s in the Markdown', (id) => {
    expect(markdown.toLowerCase()).toMatch(new RegExp(`^##+ ${id.replaceAll('-', ' ')}$`, 'm'))
  })
})

const PAGE_BYTES_MAX = 230_000
const PAGE_NODES_MAX = 6800

const pageAt = (path: string) => (path === '/docs' ? index : resources.get(path.slice('/docs/'.length)))
const anchors = new Map<string, Set<string>>()
/** The anchors of a page; undefined if there is no such page. */
function anchorsOf(path: string): Set<string> | undefined {
  const page = pageAt(path)
  if (page !== undefined && !anchors.has(path)) anchors.set(path, new Set(attributes(page, 'id')))
  return anchors.get(path)
}

describe.each(['/docs', ...GROUPS.map(({ id }) => `/docs/${id}`)])('the page %s', (path) => {
  const page = () => pageAt(path)!

  test(`has at most ${PAGE_BYTES_MAX} bytes and ${PAGE_NODES_MAX} elements`, () => {
    expect(Buffer.byteLength(page())).toBeLessThan(PAGE_BYTES_MAX)
    expect(page().match(/<[a-z]/g)!.length).toBeLessThan(PAGE_NODES_MAX)
  })

  test('loads nothing from other servers and links to none', () => {
    const urls = [...attributes(page(), 'src'), ...attributes(page(), 'href')]
    expect(urls.filter((url) => !/^(#|\/(?!\/))/.test(url))).toEqual([])
    // Examples of URLs that a person enters have a host that is reserved for documents.
    const isOther = (url: string) => url !== app.url && !/^https:\/\/(\w+\.)?example\.com$/.test(url)
    expect((page().match(/https?:\/\/[^/\s"'<&]+/g) ?? []).filter(isOther)).toEqual([])
    expect(page()).not.toMatch(/<style|<script(?! src="\/)| style=| on\w+="/)
  })

  test('has the content security policy for pages', async () => {
    const { headers } = await app.request('GET', path)
    expect(Object.fromEntries(headers)).toMatchObject(PAGE_HEADERS)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test('has unique anchors, and every link within the reference has a target', () => {
    const ids = attributes(page(), 'id')
    expect(ids).toHaveLength(anchorsOf(path)!.size)
    const targets = attributes(page(), 'href').filter((url) => /^(#|\/docs(#|\/[\w-]+(#|$)))/.test(url))
    const missing = targets.filter((target) => {
      const [targetPath, anchor] = target.split('#') as [string, string | undefined]
      const linked = anchorsOf(targetPath || path)
      return !linked || (anchor !== undefined && !linked.has(anchor))
    })
    expect([...new Set(missing)]).toEqual([])
  })
})

describe('the reference as a whole', () => {
  test('answers NOT_FOUND for an unknown resource', async () => {
    const { status, body } = await app.request('GET', '/docs/nothing')
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  test.each(['/docs/docs.css', '/docs/docs.js', '/docs.md'])(
    'serves %s with an etag and answers 304 if unchanged',
    async (path) => {
      const first = await app.request('GET', path)
      expect(first).toMatchObject({ status: 200 })
      expect(first.headers.get('cache-control')).toBe('no-cache')
      const again = await app.request('GET', path, {
        headers: { 'if-none-match': first.headers.get('etag')! },
      })
      expect(again).toMatchObject({ status: 304, text: '' })
    },
  )

  test('is Markdown if the client accepts Markdown', async () => {
    const answer = await app.request('GET', '/docs', { headers: { accept: 'text/markdown, text/html' } })
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(answer.text).toBe(markdown)
  })

  test('uses the public URL if one is configured', async () => {
    const http = fastify()
    serveDocs(http, [], 'https://atrium.example')
    const { body } = await http.inject('/docs')
    expect(body).toContain('curl https://atrium.example/api/v1/')
    expect(body).not.toContain('localhost')
  })
})

describe('contract text', () => {
  const hostile = `<img src=x onerror=alert(1)> "quoted" '</code>' \`<b>\` [x](javascript:alert(1)) [y](//evil.example)`
  const groups = buildReference([
    endpoint({
      method: 'POST',
      path: '/api/v1/things',
      summary: hostile,
      description: hostile,
      access: member(),
      body: z.object({ name: z.enum([hostile]).describe(hostile) }),
      output: z.object({ name: z.string().describe(hostile) }),
    }),
  ])

  test('is escaped', () => {
    const rendered = renderResource(groups, groups[0]!, { hasTheme: false })
    expect(rendered).not.toMatch(/<img|<b>(?!\d)|onerror=alert\(1\)>|href="(javascript|\/\/)/)
    expect(rendered).toContain(
      '&#60;img src=x onerror=alert(1)&#62; &#34;quoted&#34; &#39;&#60;/code&#62;&#39;',
    )
    expect(rendered).toContain('<code>&#60;b&#62;</code>')
  })

  test('does not break Markdown tables', () => {
    const [row] = /^\| `name` .*$/m.exec(
      renderMarkdown(
        buildReference([
          endpoint({
            method: 'GET',
            path: '/api/v1/things',
            summary: 'Things',
            access: member(),
            output: z.object({ name: z.string().describe('one | two\nthree') }),
          }),
        ]),
      ),
    )!
    expect(row).toBe('| `name` | string | one \\| two three. |')
  })
})
