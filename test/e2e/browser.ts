import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { type Profile, stretchPatience, watch } from './watch-pages.ts'

const CHROMIUM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const WAIT_MS = 60_000
const WIDE = { width: 1440, height: 900 }
const ORDINARY_STATUSES = [401, 403, 404, 409]
const PAGE = join(import.meta.dirname, '../../dashboard/dist/index.html')

/** Path of the Chromium executable; the variable `CHROMIUM` overrides it. Undefined skips the browser tests. */
export const CHROMIUM = (process.env.CHROMIUM ? [process.env.CHROMIUM] : CHROMIUM_PATHS).find((path) =>
  existsSync(path),
)

if (!CHROMIUM) warnOnce('NO CHROMIUM FOUND: browser tests are skipped (set CHROMIUM to its path)')

interface Visit {
  /** The signed-in user; the session is stepped up by default. */
  as?: Person
  steppedUp?: boolean
  /** Error statuses that the test provokes, in addition to `ORDINARY_STATUSES`. */
  expectedStatuses?: number[]
  context?: BrowserContextOptions
}

interface E2eOptions {
  /** Builds the server; by default one with the default configuration. */
  build?: () => Promise<TestApp>
  /** The host name of the URL; passkeys require a name instead of an IP address. */
  hostname?: string
  /** The tests disconnect the network: requests that fail because of it are not reported. */
  expectsDisconnects?: boolean
  /** Origins besides the server that pages may request, such as a local identity provider. */
  otherOrigins?: () => string[]
  /** Uses one tab for every visit: opening a tab takes as long as inspecting a page. Only for tests that change nothing. */
  reuseTab?: boolean
}

/**
 * Starts a server and a browser for one test file. A test fails if one of its pages logs an error, violates the content
 * security policy, receives a 5xx response or requests another origin.
 */
export function startE2e(options: E2eOptions = {}) {
  const {
    build = buildTestApp,
    hostname,
    otherOrigins = () => [],
    reuseTab = false,
    expectsDisconnects = false,
  } = options
  let app: TestApp
  let browser: Browser
  let inUse: Profile[] = []
  let shared: Profile | undefined
  let pageErrors: string[] = []

  beforeAll(async () => {
    if (!existsSync(PAGE)) throw new Error('The dashboard has not been built: run `npm run prepare`')
    app = await build()
    browser = await launch()
  })
  afterEach(async () => {
    for (const profile of inUse) await (profile === shared ? reset(profile) : profile.context.close())
    const reported = pageErrors
    inUse = []
    pageErrors = []
    expect(reported, 'errors reported by the pages of this test').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const origin = () => (hostname ? app.url.replace('127.0.0.1', hostname) : app.url)

  async function newProfile(contextOptions?: BrowserContextOptions): Promise<Profile> {
    const context = await browser.newContext({
      baseURL: origin(),
      viewport: WIDE,
      reducedMotion: 'reduce',
      ...contextOptions,
    })
    context.setDefaultTimeout(WAIT_MS)
    await stretchPatience(context)
    const profile: Profile = { context, expectedStatuses: [] }
    await watch(profile, { origin: origin(), otherOrigins: otherOrigins(), expectsDisconnects }, (text) =>
      pageErrors.push(text),
    )
    return profile
  }

  /** The first visit of a test reuses the shared profile; further visits get a profile of their own. */
  async function acquireProfile(contextOptions?: BrowserContextOptions): Promise<Profile> {
    if (!contextOptions) shared ??= await newProfile()
    const canReuse = !contextOptions && shared && !inUse.includes(shared)
    const profile = canReuse && shared ? shared : await newProfile(contextOptions)
    inUse.push(profile)
    return profile
  }

  async function reset({ context }: Profile) {
    const [first, ...others] = context.pages()
    for (const page of others) await page.close()
    if (!reuseTab) return first?.close()
    await first?.goto('about:blank')
    await first?.setViewportSize(WIDE)
  }

  return {
    /** The origin under which pages are opened. */
    get origin() {
      return origin()
    },
    get app() {
      return app
    },
    /** Opens a page with empty cookies and storage. */
    async visit(
      path: string,
      { as, steppedUp, expectedStatuses = [], context: contextOptions }: Visit = {},
    ): Promise<Page> {
      const profile = await acquireProfile(contextOptions)
      const { context } = profile
      profile.expectedStatuses = [...ORDINARY_STATUSES, ...expectedStatuses]
      const page = context.pages()[0] ?? (await context.newPage())
      if (profile === shared) await clearStorage(page, origin())
      if (as) {
        const [name, value] = (await app.session(as, { steppedUp })).cookie.split('=')
        await context.addCookies([{ name: name!, value: value!, url: origin() }])
      }
      await page.goto(path)
      return page
    },
  }
}

/** Clears everything except the HTTP and code caches: loading the dashboard anew takes longer than most tests. */
async function clearStorage(page: Page, origin: string) {
  const context = page.context()
  await context.clearCookies()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
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

/** Warns once per run instead of once per file: all files of a run share the database folder, which is deleted with it. */
function warnOnce(text: string) {
  try {
    closeSync(openSync(join(inject('database').host, 'chromium-missing'), 'wx'))
    console.warn(text)
  } catch {
    // Another file has printed the warning.
  }
}
