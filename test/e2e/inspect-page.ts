import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { auditPage } from './audit-page.ts'

/** `npm run screenshots` saves each page in each width and theme; a test run takes no pictures. */
const FOLDER = process.env.SCREENSHOTS ? join(import.meta.dirname, '../../artifacts/screenshots') : null
const WIDE = { width: 1440, height: 900 }
const LAPTOP = { width: 1180, height: 800 }
const PHONE = { width: 390, height: 844 }

interface Look {
  size: typeof WIDE
  colorScheme: 'light' | 'dark'
  /** The widest layout contains nearly every color pair; the narrowest has its own menus and labels. */
  rules: 'all' | 'all but contrast' | 'none'
}

/** A theme changes colors and nothing else: `dashboard/contrast.test.ts` checks the color pairs of both themes. */
const CHECKED: Look[] = [
  { size: WIDE, colorScheme: 'light', rules: 'all' },
  { size: LAPTOP, colorScheme: 'light', rules: 'none' },
  { size: PHONE, colorScheme: 'light', rules: 'all but contrast' },
]

const PICTURED: Look[] = [WIDE, LAPTOP, PHONE].flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme): Look => ({ size, colorScheme, rules: 'none' })),
)

interface Inspection {
  /** On a page of thousands of elements: the elements of which axe checks only the first of each shape. */
  repeats?: string
}

/**
 * Checks the current state of a page in every width: nothing overflows, and axe reports no violation. The page is not
 * reloaded between widths, so open menus and dialogs stay open.
 */
export async function inspectPage(page: Page, name: string, { repeats }: Inspection = {}) {
  if (FOLDER) await mkdir(FOLDER, { recursive: true })
  const found: string[] = []
  const look = async (...checks: ((page: Page, look: Look, where: string) => Promise<string[]>)[]) => {
    for (const each of FOLDER ? PICTURED : CHECKED) {
      if (page.viewportSize()?.width !== each.size.width) await page.setViewportSize(each.size)
      if (FOLDER) await page.emulateMedia({ colorScheme: each.colorScheme })
      const where = `${name}-${each.size.width}-${each.colorScheme}`
      for (const check of checks) {
        found.push(...(await check(page, each, where)).map((problem) => `${where}: ${problem}`))
      }
    }
  }
  if (repeats) {
    await look(findOverflow, takePicture)
    await page.evaluate(dropRepeats, repeats)
    await look(findViolations)
  } else await look(findOverflow, takePicture, findViolations)
  expect(found).toEqual([])
}

const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? ['scrolls sideways'] : []
  })

async function takePicture(page: Page, _look: Look, where: string) {
  if (!FOLDER) return []
  await page.screenshot({ path: join(FOLDER, `${where}.jpg`), type: 'jpeg', quality: 85 })
  return []
}

const findViolations = async (page: Page, { rules }: Look) =>
  rules === 'none' ? [] : auditPage(page, { contrast: rules === 'all' })

/** Removes elements that match `selector` unless they are the first of their shape: path, classes and ARIA states. */
function dropRepeats(selector: string) {
  const shapes = new Map<Element | null, string>()
  const firsts = new Map<string, Element>()
  for (const element of document.querySelectorAll('*')) {
    const states = element.getAttributeNames().filter((name) => /^(aria-|role|hidden)/.test(name))
    const shape = `${shapes.get(element.parentElement)} ${element.localName}.${element.className}[${states.join()}]`
    shapes.set(element, shape)
    if (!firsts.has(shape)) firsts.set(shape, element)
  }
  const first = new Set(firsts.values())
  for (const element of document.querySelectorAll(selector)) {
    if (![element, ...element.querySelectorAll('*')].some((each) => first.has(each))) element.remove()
  }
}
