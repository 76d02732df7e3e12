import { chromium, type Page } from 'playwright-core'

interface OpenPage {
  page: Page
  close: () => Promise<void>
}

/** The process's first argument is the path to Chromium. */
export async function openPage(url: string, { cookie }: { cookie: string }): Promise<OpenPage> {
  const browser = await chromium.launch({
    executablePath: process.argv[2] ?? '/usr/bin/chromium',
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const [name, value] = cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url }])
  return { page: await context.newPage(), close: () => browser.close() }
}
