import { spawn } from 'node:child_process'

/** No shell is asked, so that nothing in an address can be taken for a command. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Tries to open a page. Where there is no browser nothing happens: the address is on the screen anyway. */
export function openBrowser(address: string): void {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
