import type { BrowserContext } from 'playwright-core'
import { TIMEOUTS } from '../../dashboard/state/timers.ts'

/** A browser of one person: its cookies, its storage, its tabs. */
export interface Profile {
  context: BrowserContext
  /** Error statuses that the current visit expects. */
  expectedStatuses: number[]
}

export interface Sites {
  origin: string
  otherOrigins: string[]
  /** The test disconnects the network: requests that fail because of it are not reported. */
  expectsDisconnects: boolean
}

/** Reports the errors of pages, except the statuses that the current visit expects. */
export async function watch(
  profile: Profile,
  { origin, otherOrigins, expectsDisconnects }: Sites,
  reportError: (message: string) => void,
): Promise<void> {
  const { context } = profile
  const isOwn = (url: string) =>
    [origin, ...otherOrigins].includes(new URL(url).origin) || /^(data|blob):/.test(url)
  context.on('console', (message) => {
    const { url } = message.location()
    if (message.type() !== 'error') return
    if (profile.expectedStatuses.includes(statusIn(message.text())) && url.startsWith(`${origin}/api/`))
      return
    if (expectsDisconnects && DISCONNECTED.test(message.text())) return
    reportError(`console: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => reportError(`page: ${error.error().stack}`))
  context.on('request', (request) => {
    if (!isOwn(request.url())) reportError(`request to another origin: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500 && !profile.expectedStatuses.includes(response.status()))
      reportError(`${response.status()} ${response.url()}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    if (reason === 'net::ERR_ABORTED' || (expectsDisconnects && DISCONNECTED.test(reason ?? ''))) return
    reportError(`${reason} ${request.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`refused by the security policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
}

const DISCONNECTED =
  /net::ERR_INTERNET_DISCONNECTED|net::ERR_NETWORK_CHANGED|net::ERR_INCOMPLETE_CHUNKED_ENCODING/

/** Multiplies the timeouts of the dashboard, such as those of Undo and of key sequences, by ten. */
export const extendTimeouts = (context: BrowserContext) =>
  context.addInitScript((waits) => {
    const originalSetTimeout = setTimeout
    const stretched = (handler: TimerHandler, ms = 0, ...args: unknown[]) =>
      originalSetTimeout(handler, waits.includes(ms) ? ms * 10 : ms, ...args)
    globalThis.setTimeout = stretched as typeof setTimeout
  }, Object.values(TIMEOUTS))

/**
 * The status of a failed request in a console message: Chromium logs every status from 400 on, even if the page handles
 * it.
 */
const statusIn = (text: string) =>
  Number(/^Failed to load resource: the server responded with a status of (\d+) /.exec(text)?.[1])
