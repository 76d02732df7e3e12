import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type { Person } from '../../server/testing/factories.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const WAIT_MS = 30_000
const EVERYDAY_REFUSALS = [401, 403, 404, 409]
const PAGE = join(import.meta.dirname, '../../dashboard/dist/index.html')

/** The browser of this machine, which `CHROMIUM` overrides; undefined skips the journeys that need one. */
export const CHROMIUM = (process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES).find((path) =>
  existsSync(path),
)

if (!CHROMIUM) warnOnce('NO CHROMIUM FOUND: browser journeys are skipped (set CHROMIUM to its path)')

interface Visit {
  /** Signed in as this person, stepped up unless told otherwise. */
  as?: Person
  steppedUp?: boolean
  /** Refusals that the journey provokes beyond the ones that are part of everyday use. */
  refusals?: number[]
  context?: BrowserContextOptions
}

interface Surroundings {
  /** The server; one without settings unless told otherwise. */
  build?: () => Promise<TestApp>
  /** The name in the address bar; passkeys want one that is no number. */
  hostname?: string
  /** Sites beside the server that pages may lead to, such as a provider on this machine. */
  neighbours?: () => string[]
}

/**
 * A server and a browser for one file of journeys. Whatever a page complains of (an error on its console, a refusal of
 * its security policy, a failure of the server, a request to anywhere else) fails the test that opened it.
 */
export function startJourneys(around: Surroundings = {}) {
  const { build = buildTestApp, hostname, neighbours = () => [] } = around
  let app: TestApp
  let browser: Browser
  let contexts: BrowserContext[] = []
  let complaints: string[] = []

  beforeAll(async () => {
    if (!existsSync(PAGE)) throw new Error('The dashboard has not been built: run `npm run prepare`')
    app = await build()
    browser = await launch()
  })
  afterEach(async () => {
    for (const context of contexts) await context.close()
    const heard = complaints
    contexts = []
    complaints = []
    expect(heard, 'what the pages of this journey complained of').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const origin = () => (hostname ? app.url.replace('127.0.0.1', hostname) : app.url)

  return {
    /** Where pages are opened. */
    get origin() {
      return origin()
    },
    get app() {
      return app
    },
    /** Opens a page in a browser that knows nothing of the other visits. */
    async visit(path: string, { as, steppedUp, refusals = [], context: options }: Visit = {}): Promise<Page> {
      const context = await browser.newContext({
        baseURL: origin(),
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(WAIT_MS)
      const sites = { origin: origin(), neighbours: neighbours() }
      await watch(context, sites, [...EVERYDAY_REFUSALS, ...refusals], complaints)
      if (as) {
        const [name, value] = (await app.session(as, { steppedUp })).cookie.split('=')
        await context.addCookies([{ name: name!, value: value!, url: origin() }])
      }
      const page = await context.newPage()
      await page.goto(path)
      return page
    },
  }
}

function launch() {
  const args = [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ]
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath: CHROMIUM, args: isRoot ? ['--no-sandbox', ...args] : args })
}

interface Sites {
  origin: string
  neighbours: string[]
}

async function watch(
  context: BrowserContext,
  { origin, neighbours }: Sites,
  refusals: number[],
  complaints: string[],
) {
  const isOwn = (url: string) =>
    [origin, ...neighbours].includes(new URL(url).origin) || /^(data|blob):/.test(url)
  context.on('console', (message) => {
    const { url } = message.location()
    if (message.type() !== 'error') return
    if (refusals.includes(refusalIn(message.text())) && url.startsWith(`${origin}/api/`)) return
    complaints.push(`console: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => complaints.push(`page: ${error.error().stack}`))
  context.on('request', (request) => {
    if (!isOwn(request.url())) complaints.push(`request to elsewhere: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    if (why !== 'net::ERR_ABORTED') complaints.push(`${why} ${request.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`refused by the security policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
}

/** Chromium reports every answer of 400 and more on the console, also those that the page expects and explains. */
const refusalIn = (text: string) =>
  Number(/^Failed to load resource: the server responded with a status of (\d+) /.exec(text)?.[1])

/** Once per run, not once per file: every file of a run shares the folder of its database, which goes with the run. */
function warnOnce(text: string) {
  try {
    closeSync(openSync(join(inject('database').host, 'chromium-missing'), 'wx'))
    console.warn(text)
  } catch {
    // Another file has said so already.
  }
}
