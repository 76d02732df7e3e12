import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../testing/test-app.ts'
import { PAGE_HEADERS } from './headers.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const PAGES = [
  '/',
  '/projects',
  '/projects/launch-plan',
  '/webhooks/events',
  '/sign-in',
  '/s/token',
  '/nowhere',
]
const HTML = 'text/html; charset=utf-8'

describe('a page', () => {
  test.each(
    PAGES.flatMap((path) =>
      ['*/*', 'application/json', 'text/plain', 'image/*'].map((accept) => [path, accept]),
    ),
  )('%s is HTML for a client that accepts %s', async (path, accept) => {
    const { status, headers, text } = await app.request('GET', path!, { headers: { accept: accept! } })
    expect([status, headers.get('content-type')]).toEqual([200, HTML])
    expect(Object.fromEntries(headers)).toMatchObject(PAGE_HEADERS)
    expect(text).toContain('<div id="root">')
  })

  test('answers HEAD with the same content type and no body', async () => {
    for (const path of PAGES) {
      const { status, headers, text } = await app.request('HEAD', path)
      expect([status, headers.get('content-type'), text]).toEqual([200, HTML, ''])
    }
  })
})

describe('page language', () => {
  const languageOf = async (headers: Record<string, string>, path = '/projects') => {
    const response = await app.request('GET', path, { headers })
    expect(response.headers.get('vary')).toMatch(/^accept-language, cookie/)
    return [response.headers.get('content-language'), /<html lang="(\w+)">/.exec(response.text)?.[1]]
  }
  test.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-CH, en;q=0.9', 'de'],
    ['en-US, de;q=0.9', 'en'],
    ['fr, de;q=0.5, en;q=0.7', 'en'],
    ['fr-FR, ja', 'en'],
    ['de;q=0, en', 'en'],
    ['*', 'en'],
    ['de;q=x;;, ,', 'de'],
    [`${','.repeat(15_000)}de`, 'en'],
  ])("is the browser's first language that the dashboard has: %j", async (accepted, language) => {
    expect(await languageOf({ 'accept-language': accepted })).toEqual([language, language])
  })

  test('is the language the user chose in this browser, including on pages with a preview', async () => {
    const headers = { 'accept-language': 'de', cookie: 'other=1; atrium_language=en' }
    expect(await languageOf(headers)).toEqual(['en', 'en'])
    expect(await languageOf({ cookie: 'atrium_language=de' }, '/s/token')).toEqual(['de', 'de'])
  })

  test('is never one the dashboard lacks', async () => {
    for (const language of ['xx', '../index', '__proto__'])
      expect(await languageOf({ cookie: `atrium_language=${encodeURIComponent(language)}` })).toEqual([
        'en',
        'en',
      ])
  })
})

describe('an unknown route', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v2/projects'],
    ['GET', '/api/v1/nothing.html'],
    ['POST', '/projects'],
    ['GET', '/assets/missing.js'],
    ['GET', '/assets/'],
    ['GET', '/assets/..%2findex.html'],
    ['GET', '/assets/%2e%2e%2findex.html'],
    ['GET', '/robots.txt'],
    ['GET', '/.well-known/oauth-authorization-server/other'],
    ['GET', '/.well-known/security.txt'],
  ])('is NOT_FOUND as JSON: %s %s', async (method, path) => {
    const { status, headers, body } = await app.request(method, path)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    expect(body.error.code).toBe('NOT_FOUND')
  })

  test('is JSON for a browser too under the API', async () => {
    const { status, body } = await app.request('GET', '/api/v1/nothing', { headers: { accept: 'text/html' } })
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('link preview', () => {
  const preview = async (path: string) => {
    const { text } = await app.request('GET', path)
    const meta = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(text)?.[1]
    return {
      title: /<title>([^<]*)/.exec(text)?.[1],
      ogTitle: meta('og:title'),
      description: meta('description'),
      ogDescription: meta('og:description'),
      robots: meta('robots'),
    }
  }

  test('describes a share link as a link to a project, and reveals nothing about it', async () => {
    const person = await app.person(await app.organization('Secret organization'))
    const project = await app.project(person, { name: 'Secret acquisition' })
    const { url } = await (await app.withSession(person)).sharing.share({
      projectId: project.id,
      access: 'view',
    })
    const path = url!.slice(app.url.length)
    const shown = await preview(path)
    expect(shown).toEqual({
      title: 'Shared project · Atrium',
      ogTitle: 'Shared project · Atrium',
      description: 'Open this link to view a project that was shared with you.',
      ogDescription: 'Open this link to view a project that was shared with you.',
      robots: 'noindex',
    })
    const { text } = await app.request('GET', path)
    expect(text).not.toMatch(/Secret/)
    // A link that never existed has the same preview.
    expect(await preview('/s/unknown')).toEqual(shown)
    expect((await app.request('GET', '/s/unknown')).text).toBe(text)
  })

  test('names the product for every other page', async () => {
    expect(await preview('/projects')).toMatchObject({
      title: 'Atrium',
      ogTitle: 'Atrium',
      robots: undefined,
    })
    expect(await preview('/join')).toMatchObject({ ogTitle: 'Invitation · Atrium', robots: 'noindex' })
  })
})
