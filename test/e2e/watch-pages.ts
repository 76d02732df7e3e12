import type { BrowserContext } from 'playwright-core'
import { TIMEOUTS } from '../../dashboard/state/timeouts.ts'

/** A browser of one person: its cookies, its storage, its tabs. */
export interface Profile {
  context: BrowserContext
  /** Error statuses that the current visit expects. */
  expectedStatuses: number[]
}

export interface Sites {
  origin: string
  otherOrigins: string[]
  /** The network is cut on purpose: requests that fail for it are no complaint. */
  expectsDisconnects: boolean
}

/** Reports the errors of pages, except the statuses that the current visit expects. */
export async function watch(
  profile: Profile,
  { origin, otherOrigins, expectsDisconnects }: Sites,
  complain: (what: string) => void,
): Promise<void> {
  const { context } = profile
  const isOwn = (url: string) =>
    [origin, ...otherOrigins].includes(new URL(url).origin) || /^(data|blob):/.test(url)
  context.on('console', (message) => {
    const { url } = message.location()
    if (message.type() !== 'error') return
    if (profile.expectedStatuses.includes(refusalIn(message.text())) && url.startsWith(`${origin}/api/`))
      return
    if (expectsDisconnects && BREAK.test(message.text())) return
    complain(`console: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => complain(`page: ${error.error().stack}`))
  context.on('request', (request) => {
    if (!isOwn(request.url())) complain(`request to another origin: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500 && !profile.expectedStatuses.includes(response.status()))
      complain(`${response.status()} ${response.url()}`)
  })
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    if (why === 'net::ERR_ABORTED' || (expectsDisconnects && BREAK.test(why ?? ''))) return
    complain(`${why} ${request.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`refused by the security policy: ${event.violatedDirective} ${event.blockedURI}`)
    })
  })
}

const BREAK = /net::ERR_INTERNET_DISCONNECTED|net::ERR_NETWORK_CHANGED|net::ERR_INCOMPLETE_CHUNKED_ENCODING/

/** Undo stays and keys belong together for ten times as long as people get. */
export const stretchPatience = (context: BrowserContext) =>
  context.addInitScript((waits) => {
    const plain = setTimeout
    const stretched = (act: TimerHandler, ms = 0, ...given: unknown[]) =>
      plain(act, waits.includes(ms) ? ms * 10 : ms, ...given)
    globalThis.setTimeout = stretched as typeof setTimeout
  }, Object.values(TIMEOUTS))

/** Chromium reports every answer of 400 and more on the console, also those that the page expects and explains. */
const refusalIn = (text: string) =>
  Number(/^Failed to load resource: the server responded with a status of (\d+) /.exec(text)?.[1])
