import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { type Profile, stretchPatience, watch } from './watch-pages.ts'

const PLACES = [
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
  /** The journeys cut the network themselves: requests that fail for it are no complaint. */
  expectsBreaks?: boolean
  /** Sites beside the server that pages may lead to, such as a provider on this machine. */
  neighbours?: () => string[]
  /** For tests that look at many pages and leave nothing behind in them: opening a tab takes as long as looking. */
  oneTab?: boolean
}

/**
 * A server and a browser for one file of journeys. Whatever a page complains of (an error on its console, a refusal of
 * its security policy, a failure of the server, a request to anywhere else) fails the test that opened it.
 */
export function startJourneys(around: Surroundings = {}) {
  const {
    build = buildTestApp,
    hostname,
    neighbours = () => [],
    oneTab = false,
    expectsBreaks = false,
  } = around
  let app: TestApp
  let browser: Browser
  let lent: Profile[] = []
  let kept: Profile | undefined
  let complaints: string[] = []

  beforeAll(async () => {
    if (!existsSync(PAGE)) throw new Error('The dashboard has not been built: run `npm run prepare`')
    app = await build()
    browser = await launch()
  })
  afterEach(async () => {
    for (const profile of lent) await (profile === kept ? leave(profile) : profile.context.close())
    const heard = complaints
    lent = []
    complaints = []
    expect(heard, 'what the pages of this journey complained of').toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const origin = () => (hostname ? app.url.replace('127.0.0.1', hostname) : app.url)

  async function newProfile(options?: BrowserContextOptions): Promise<Profile> {
    const context = await browser.newContext({
      baseURL: origin(),
      viewport: WIDE,
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(WAIT_MS)
    await stretchPatience(context)
    const profile: Profile = { context, refusals: [] }
    await watch(profile, { origin: origin(), neighbours: neighbours(), expectsBreaks }, (text) =>
      complaints.push(text),
    )
    return profile
  }

  /** The first visit of a test takes the profile that is kept; whoever comes beside it is somebody else. */
  async function lend(options?: BrowserContextOptions): Promise<Profile> {
    if (!options) kept ??= await newProfile()
    const profile = options || !kept || lent.includes(kept) ? await newProfile(options) : kept
    lent.push(profile)
    return profile
  }

  async function leave({ context }: Profile) {
    const [first, ...others] = context.pages()
    for (const page of others) await page.close()
    if (!oneTab) return first?.close()
    await first?.goto('about:blank')
    await first?.setViewportSize(WIDE)
  }

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
      const profile = await lend(options)
      const { context } = profile
      profile.refusals = [...EVERYDAY_REFUSALS, ...refusals]
      const page = context.pages()[0] ?? (await context.newPage())
      if (profile === kept) await forget(page, origin())
      if (as) {
        const [name, value] = (await app.session(as, { steppedUp })).cookie.split('=')
        await context.addCookies([{ name: name!, value: value!, url: origin() }])
      }
      await page.goto(path)
      return page
    },
  }
}

/** What the browser has loaded and compiled may stay: to load the dashboard anew takes longer than most journeys. */
async function forget(page: Page, origin: string) {
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

/** Once per run, not once per file: every file of a run shares the folder of its database, which goes with the run. */
function warnOnce(text: string) {
  try {
    closeSync(openSync(join(inject('database').host, 'chromium-missing'), 'wx'))
    console.warn(text)
  } catch {
    // Another file has said so already.
  }
}
