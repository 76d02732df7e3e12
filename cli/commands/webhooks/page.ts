import { setTimeout } from 'node:timers/promises'
import { openBrowser } from '../../browser.ts'
import type { Connection } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, tell } from '../../terminal.ts'

export interface PageOptions {
  server?: string
  json?: boolean
  browser?: boolean
  wait?: boolean
}

const FIRST_LOOK_MS = 300
const LOOK_MAX_MS = 3000
const WAIT_MAX_MS = 600_000

/**
 * A key cannot manage webhooks, so that one that leaks cannot have everything sent elsewhere: it is done on a page, on
 * which one proves who one is. Returns its address.
 */
export function showPage(
  { server }: Connection,
  { path, act }: { path: string; act: string },
  { json, browser }: PageOptions,
): string {
  const address = `${server}/${path}`
  if (json) tell(address)
  else print(address)
  tell(`${act} on this page: it needs the browser, where you can prove who you are.`)
  if (browser !== false) openBrowser(address)
  return address
}

/** Looks again and again until there is something to see. */
export async function waitFor<T>(address: string, look: () => Promise<T | null>): Promise<T> {
  tell('Waiting for it; Ctrl-C ends')
  const deadline = Date.now() + WAIT_MAX_MS
  for (let every = FIRST_LOOK_MS; Date.now() < deadline; every = Math.min(every * 1.2, LOOK_MAX_MS)) {
    const found = await look()
    if (found !== null) return found
    await setTimeout(every)
  }
  throw new Failure(
    'failed',
    'Nothing was done there within 10 minutes',
    `The page is still there: ${address}`,
  )
}
