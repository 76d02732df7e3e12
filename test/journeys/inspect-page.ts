import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../artifacts/screenshots')
const WIDE = { width: 1440, height: 900 }
const LAPTOP = { width: 1180, height: 800 }
const PHONE = { width: 390, height: 844 }
const THEMES = ['light', 'dark'] as const
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Looks at what a page shows now in every width and theme: nothing may stick out, and axe may find nothing. Pictures are
 * kept for somebody to look at. The page is not loaded again in between, so that what is open stays open.
 */
export async function inspectPage(page: Page, name: string, options: { isLong?: boolean } = {}) {
  await mkdir(FOLDER, { recursive: true })
  await page.evaluate(await readFile(AXE, 'utf8'))
  const found: string[] = []
  for (const size of [WIDE, LAPTOP, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      const where = `${name}-${size.width}-${colorScheme}`
      if (await sticksOut(page)) found.push(`${where}: scrolls sideways`)
      // Thousands of elements take axe seconds, and between wide and laptop a long text only wraps differently.
      if (!options.isLong || size !== LAPTOP) {
        found.push(...(await violations(page, colorScheme)).map((violation) => `${where}: ${violation}`))
      }
      await page.screenshot({ path: join(FOLDER, `${where}.png`) })
    }
  }
  expect(found).toEqual([])
}

const sticksOut = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth
  })

/** The theme changes colours and nothing else, so the dark one is asked about contrast alone. */
const violations = (page: Page, theme: (typeof THEMES)[number]) =>
  page.evaluate(async (isDark) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      ...(isDark && { runOnly: ['color-contrast'] }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`),
    )
  }, theme === 'dark')
