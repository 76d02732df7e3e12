import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Nobody looks at pictures that CI takes, and they are a fifth of its time here. */
const FOLDER = process.env.CI ? null : join(import.meta.dirname, '../../artifacts/screenshots')
const WIDE = { width: 1440, height: 900 }
const LAPTOP = { width: 1180, height: 800 }
const PHONE = { width: 390, height: 844 }
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Look {
  size: typeof WIDE
  colorScheme: 'light' | 'dark'
  /**
   * Axe takes its time, most of it for contrast. The widest and the narrowest layout have all there is, the theme changes
   * colours and nothing else, and the widest has nearly all of those.
   */
  rules: 'all' | 'all but contrast' | 'contrast' | 'none'
}

const LOOKS: Look[] = [
  { size: WIDE, colorScheme: 'light', rules: 'all' },
  { size: WIDE, colorScheme: 'dark', rules: 'contrast' },
  { size: LAPTOP, colorScheme: 'dark', rules: 'none' },
  { size: LAPTOP, colorScheme: 'light', rules: 'none' },
  { size: PHONE, colorScheme: 'light', rules: 'all but contrast' },
  { size: PHONE, colorScheme: 'dark', rules: 'none' },
]

interface Inspection {
  /** On a page of thousands of elements: those of which axe is shown the first of each shape. */
  repeats?: string
}

/**
 * Looks at what a page shows now in every width and theme: nothing may stick out, and axe may find nothing. Pictures are
 * kept for somebody to look at. The page is not loaded again in between, so that what is open stays open.
 */
export async function inspectPage(page: Page, name: string, { repeats }: Inspection = {}) {
  if (FOLDER) await mkdir(FOLDER, { recursive: true })
  await page.evaluate(await readFile(AXE, 'utf8'))
  const found: string[] = []
  const look = async (...checks: ((page: Page, look: Look, where: string) => Promise<string[]>)[]) => {
    for (const each of LOOKS) {
      await page.setViewportSize(each.size)
      await page.emulateMedia({ colorScheme: each.colorScheme })
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

/** As the script offers it to the page. */
interface Axe {
  run: (context: Document, options: RunOptions) => Promise<AxeResults>
}

async function findViolations(page: Page, { rules }: Look): Promise<string[]> {
  if (rules === 'none') return []
  return page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      ...(asked === 'contrast' && { runOnly: ['color-contrast'] }),
      ...(asked === 'all but contrast' && { rules: { 'color-contrast': { enabled: false } } }),
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`),
    )
  }, rules)
}

/** Leaves of each kind of element, known by its place, its classes and its states, the first; goes by `selector`. */
function dropRepeats(selector: string) {
  const places = new Map<Element | null, string>()
  const firsts = new Map<string, Element>()
  for (const element of document.querySelectorAll('*')) {
    const states = element.getAttributeNames().filter((name) => /^(aria-|role|hidden)/.test(name))
    const place = `${places.get(element.parentElement)} ${element.localName}.${element.className}[${states.join()}]`
    places.set(element, place)
    if (!firsts.has(place)) firsts.set(place, element)
  }
  const kept = new Set(firsts.values())
  for (const element of document.querySelectorAll(selector)) {
    if (![element, ...element.querySelectorAll('*')].some((each) => kept.has(each))) element.remove()
  }
}
