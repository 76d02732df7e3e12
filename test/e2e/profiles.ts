import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { extendTimeouts, type Profile, type Sites, watch } from './watch-pages.ts'

const WAIT_MS = 60_000
export const WIDE = { width: 1440, height: 900 }
/** A document of the server without scripts. */
const PARKED = '/favicon.svg'

/**
 * Measured with the pages of the dashboard: the optimizing compilers take a third of the CPU time of a page that is open
 * for a second, and a tab in a process of its own takes twice the CPU time of one in the process of its profile.
 */
const LOW_CPU_FLAGS = [
  '--js-flags=--no-turbofan --no-maglev --min-semi-space-size=16',
  '--renderer-process-limit=1',
]

let sharedBrowser: Promise<Browser> | undefined

/** The browser that the test files of one worker process share. It ends with the process. */
export function shareChromium(executablePath: string | undefined): Promise<Browser> {
  sharedBrowser ??= launchChromium(executablePath)
  return sharedBrowser
}

function launchChromium(executablePath: string | undefined): Promise<Browser> {
  const args = [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    // A microphone with a tone. Headless Chromium can't ask whether a page may use it.
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--no-first-run',
    // Glyphs at the widths of real screens; headless Chromium rounds them to pixels.
    '--font-render-hinting=none',
    ...LOW_CPU_FLAGS,
  ]
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox', ...args] : args })
}

interface PooledProfile extends Profile {
  options: string
  isUsed: boolean
  /** Stays open between tests, so that the process of the profile stays alive. */
  parkedPage: Page
  devtools: CDPSession
}

/**
 * The browser profiles of one test file. A released profile serves a later visit with empty cookies and storage: its
 * process has already compiled the dashboard.
 */
export function createProfiles(browser: Browser, sites: Sites, reportError: (text: string) => void) {
  const pool: PooledProfile[] = []

  async function create(options: BrowserContextOptions | undefined): Promise<PooledProfile> {
    const context = await browser.newContext({
      baseURL: sites.origin,
      viewport: WIDE,
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(WAIT_MS)
    await extendTimeouts(context)
    const profile = { context, expectedStatuses: [] }
    await watch(profile, sites, reportError)
    const parkedPage = await context.newPage()
    await parkedPage.goto(PARKED)
    const devtools = await context.newCDPSession(parkedPage)
    return Object.assign(profile, { options: JSON.stringify(options), isUsed: true, parkedPage, devtools })
  }

  return {
    /** A profile that no other visit of the current test uses. */
    async acquire(options?: BrowserContextOptions): Promise<Profile> {
      const free = pool.find((profile) => !profile.isUsed && profile.options === JSON.stringify(options))
      if (!free) {
        const created = await create(options)
        pool.push(created)
        return created
      }
      free.isUsed = true
      await free.context.clearCookies()
      await free.devtools.send('Storage.clearDataForOrigin', { origin: sites.origin, storageTypes: 'all' })
      return free
    },
    /** Closes the tabs of the profiles in use. */
    async release({ only, except }: { only?: Profile; except?: Profile } = {}) {
      for (const profile of pool.filter(
        (each) => each.isUsed && each !== except && each === (only ?? each),
      )) {
        const opened = profile.context.pages().filter((page) => page !== profile.parkedPage)
        for (const page of opened) await page.close()
        profile.isUsed = false
      }
    },
    async close() {
      for (const { context } of pool) await context.close()
    },
  }
}
