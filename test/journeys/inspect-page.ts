import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
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
      const rules = rulesAt(size, colorScheme, options.isLong)
      found.push(...(await violations(page, rules)).map((violation) => `${where}: ${violation}`))
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

/** As the script offers it to the page. */
interface Axe {
  run: (context: Document, options: RunOptions) => Promise<AxeResults>
}

type Rules = 'all' | 'contrast' | 'none'

/**
 * Axe takes its time. The widest and the narrowest layout have all there is, and the theme changes colours and nothing
 * else, so the dark one is asked about contrast alone. A page of thousands of elements is looked at twice.
 */
function rulesAt(size: typeof WIDE, theme: (typeof THEMES)[number], isLong = false): Rules {
  if (size === LAPTOP) return 'none'
  if (isLong) return (size === WIDE) === (theme === 'light') ? 'all' : 'none'
  return theme === 'light' ? 'all' : 'contrast'
}

async function violations(page: Page, rules: Rules): Promise<string[]> {
  if (rules === 'none') return []
  return page.evaluate(async (isContrastAlone) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      ...(isContrastAlone && { runOnly: ['color-contrast'] }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`),
    )
  }, rules === 'contrast')
}
