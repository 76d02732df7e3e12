import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { Connection } from './connect.ts'
import { Failure } from './failure.ts'
import { print, printMessage } from './terminal.ts'

export interface PageOptions {
  server?: string
  json?: boolean
  browser?: boolean
  wait?: boolean
}

const POLL_FIRST_MS = 300
const POLL_MAX_MS = 3000
const WAIT_MAX_MS = 600_000

export function openPage(
  { server }: Connection,
  { path, action, subject = 'webhooks' }: { path: string; action: string; subject?: string },
  { json, browser }: PageOptions,
): string {
  const url = `${server}/${path}`
  if (json) printMessage(url)
  else print(url)
  printMessage(`${action} in the browser: API keys can’t manage ${subject}.`)
  if (browser !== false) openBrowser(url)
  return url
}

/** Without a terminal there may be nobody to use the page, and a script would wait for ten minutes. */
export function shouldWait({ wait }: PageOptions): boolean {
  if (wait !== undefined) return wait
  if (process.stdin.isTTY) return true
  printMessage('Not waiting for the outcome because there is no terminal. Use --wait to wait.')
  return false
}

export async function pollFor<T>(url: string, read: () => Promise<T | null>): Promise<T> {
  printMessage('Waiting for the browser… (Ctrl+C to cancel)')
  const deadline = Date.now() + WAIT_MAX_MS
  for (let delay = POLL_FIRST_MS; Date.now() < deadline; delay = Math.min(delay * 1.2, POLL_MAX_MS)) {
    const found = await read()
    if (found !== null) return found
    await setTimeout(delay)
  }
  throw new Failure('failed', 'Timed out after 10 minutes', `The page stays available: ${url}`)
}

/** Runs without a shell, so no part of a URL can run as a command. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Does nothing without a browser: callers also print the URL. */
export function openBrowser(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
