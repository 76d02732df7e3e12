import { spawn } from 'node:child_process'

/** Runs without a shell, so that no part of a URL can run as a command. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a URL in the browser. Does nothing without a browser: callers also print the URL. */
export function openBrowser(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
