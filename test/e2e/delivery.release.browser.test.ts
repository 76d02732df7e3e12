import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'

const SCRIPT_KB_MAX = 190
const PAGE = { accept: 'text/html,application/xhtml+xml' }

describe.skipIf(!CHROMIUM)('dashboard delivery', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    const org = await e2e.app.organization()
    ada = await e2e.app.person(org, { name: 'Ada', password: PASSWORD, operator: true })
  })

  const get = (path: string, headers = {}) => e2e.app.request('GET', path, { headers })
  const assets = async () =>
    [...(await get('/', PAGE)).text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)

  test(`loads at most ${SCRIPT_KB_MAX} kB of script for sign-in and home together`, async () => {
    const page = await e2e.visit('about:blank')
    const sizes = new Map<string, number>()
    const reading: Promise<void>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      reading.push(
        response.body().then((body) => void sizes.set(response.url(), brotliCompressSync(body).length)),
      )
    })
    const streaming = page.waitForRequest(/\/events\/live$/)
    await page.goto('/')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(PASSWORD)
    // A mouse would rest on one of Home's links, whose page would load, too.
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    // The stream of the page stays open, so that the network is never idle.
    await Promise.all([streaming, page.getByRole('heading', { name: 'Installation' }).waitFor()])
    await Promise.all(reading)
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(sizes.size).toBeGreaterThan(1)
    expect(total / 1000).toBeLessThanOrEqual(SCRIPT_KB_MAX)
  })

  test('requests nothing from other origins on any page', async () => {
    const requests: string[] = []
    const page = await e2e.visit('about:blank', { as: ada })
    page.on('request', (request) => requests.push(request.url()))
    for (const path of [
      '/',
      '/projects/new',
      '/files',
      '/webhooks/events',
      '/feedback',
      '/operate/feedback',
      '/operate/jobs',
      '/settings/api-keys/new',
      '/docs',
    ]) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
    }
    const origins = new Set(requests.map((url) => new URL(url).origin))
    expect([...origins]).toEqual([e2e.app.url])
  })

  test('caches hashed assets forever, and revalidates the page', async () => {
    const found = await assets()
    expect(found.length).toBeGreaterThan(1)
    for (const path of found) {
      expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    for (const path of ['/', '/feedback', '/settings/api-keys/new']) {
      const { status, headers } = await get(path, PAGE)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
    }
    const { status, headers } = await get('/assets/index-missing.js')
    expect(status).toBe(404)
    expect(headers.get('cache-control') ?? '').not.toContain('immutable')
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('compresses for accept-encoding: %s', async (accepted, encoding) => {
    for (const path of ['/', ...(await assets())]) {
      const { status, headers } = await get(path, { ...PAGE, 'accept-encoding': accepted })
      expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, encoding])
      expect(headers.get('vary')).toMatch(/accept-encoding/i)
    }
  })

  test('sends a policy that allows only its own scripts and styles, on every path', async () => {
    for (const path of ['/', '/sign-in', '/nowhere', '/docs']) {
      const { headers } = await get(path, { ...PAGE, 'accept-encoding': 'br' })
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of ["default-src 'self'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"]) {
        expect(policy.split('; ')).toContain(rule)
      }
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  test('never responds to an API path with a page', async () => {
    const { status, body } = await get('/api/v1/nowhere', PAGE)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
