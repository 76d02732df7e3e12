import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { createProfiles, shareChromium, WIDE } from './profiles.ts'
import type { Profile } from './watch-pages.ts'

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
  /** Builds a server for this file; by default, the file shares a server with others. */
  build?: () => Promise<TestApp>
  /** The host name of the URL; passkeys require a name instead of an IP address. */
  hostname?: string
  /** The tests disconnect the network: requests that fail because of it are not reported. */
  expectsDisconnects?: boolean
  /** Shows files as a list, as the tests' rows and columns need. By default, they are a grid. */
  showsFileList?: boolean
  /** Origins besides the server that pages may request, such as a local identity provider. */
  otherOrigins?: () => string[]
}

/**
 * Provides a server and a browser to one test file. A test fails if one of its pages logs an error, violates the content
 * security policy, receives a 5xx response or requests another origin.
 */
export function startE2e(options: E2eOptions = {}) {
  const { build, hostname, otherOrigins = () => [], expectsDisconnects = false, showsFileList } = options
  let app: TestApp
  let profiles: ReturnType<typeof createProfiles>
  let shown: { profile: Profile; page: Page; as: Person } | undefined
  let pageErrors: string[] = []

  beforeAll(async () => {
    if (!existsSync(PAGE)) throw new Error('The dashboard has not been built: run `npm run prepare`')
    app = await (build ?? shareTestApp)()
    const sites = { origin: origin(), otherOrigins: otherOrigins(), expectsDisconnects }
    profiles = createProfiles(await shareChromium(CHROMIUM), sites, (text) => pageErrors.push(text))
  })
  afterEach(async ({ task }) => {
    // A failed test may have left a dialog open.
    if (task.result?.state === 'fail') shown = undefined
    await profiles.release({ except: shown?.profile })
    const reported = pageErrors
    pageErrors = []
    expect(reported, 'errors reported by the pages of this test').toEqual([])
  })
  afterAll(async () => {
    await profiles?.close()
    if (build) await app?.close()
  })

  const origin = () => (hostname ? app.url.replace('127.0.0.1', hostname) : app.url)

  async function open(path: string, visit: Visit) {
    const profile = await profiles.acquire(visit.context)
    profile.expectedStatuses = [...ORDINARY_STATUSES, ...(visit.expectedStatuses ?? [])]
    const page = await profile.context.newPage()
    if (showsFileList) await page.addInitScript(() => localStorage.setItem('atrium.files.layout', 'list'))
    if (visit.as) {
      const [name, value] = (await app.session(visit.as, { steppedUp: visit.steppedUp })).cookie.split('=')
      await profile.context.addCookies([{ name: name!, value: value!, url: origin() }])
    }
    await page.goto(path)
    return { profile, page }
  }

  return {
    /** The origin under which pages are opened. */
    get origin() {
      return origin()
    },
    get app() {
      return app
    },
    /** Opens a page in a new tab with empty cookies and storage. */
    visit: async (path: string, visit: Visit = {}): Promise<Page> => (await open(path, visit)).page,
    /**
     * Shows a page and waits for its text. Pages of the same person follow each other in one tab as links open them,
     * which takes a quarter of the CPU time of a visit; a text that is already on the screen requires a visit. Only for
     * tests that change nothing: a dialog that they leave open closes with the page.
     */
    async show(path: string, text: string, as: Person): Promise<Page> {
      const current = shown?.as === as ? shown.page : null
      await current?.setViewportSize(WIDE)
      if (current && (await current.getByText(text).count()) === 0) {
        await current.evaluate((url) => history.pushState(null, '', url), path)
      } else {
        if (shown) await profiles.release({ only: shown.profile })
        shown = { ...(await open(path, { as })), as }
      }
      const { page } = shown!
      await page.getByText(text).first().waitFor({ state: 'attached' })
      return page
    },
  }
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
