import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { auditPage, type Rules } from './audit-page.ts'
import { INSPECTED, shownRoute } from './inspected-routes.ts'
import { findMotion, findOverflow, findScrolledFrame } from './page-layout.ts'

/** `npm run screenshots` saves each page in each width and theme; a test run takes no pictures. */
const FOLDER = process.env.SCREENSHOTS ? join(import.meta.dirname, '../../artifacts/screenshots') : null
const WIDE = { width: 1440, height: 900 }
const LAPTOP = { width: 1180, height: 800 }
/** A window of 1280 × 900 at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 450 }
const PHONE = { width: 390, height: 844 }

interface Variant {
  size: typeof WIDE
  theme: 'light' | 'dark'
  /** The widest layout contains nearly every color pair; the narrowest has its own menus and labels. */
  rules: Rules | 'none'
}

/** A theme changes only colors. Changing it on the open page takes much less time than another load. */
const CHECKED_VARIANTS: Variant[] = [
  { size: WIDE, theme: 'light', rules: 'all' },
  { size: WIDE, theme: 'dark', rules: 'contrast' },
  { size: LAPTOP, theme: 'light', rules: 'none' },
  { size: ZOOMED, theme: 'light', rules: 'none' },
  { size: PHONE, theme: 'light', rules: 'all but contrast' },
]

const SCREENSHOT_VARIANTS: Variant[] = [WIDE, LAPTOP, PHONE].flatMap((size) =>
  (['light', 'dark'] as const).map((theme): Variant => ({ size, theme, rules: 'none' })),
)

interface Inspection {
  /** On a page of thousands of elements: the elements of which axe checks only the first of each shape. */
  repeats?: string
}

/**
 * Checks the current state of a page: in every width, nothing overflows; axe reports no violation, in both themes; nothing
 * moves for people who prefer reduced motion; and no focus scrolls the frame. The page is not reloaded in between, so open menus and dialogs stay open.
 */
export async function inspectPage(page: Page, name: string, { repeats }: Inspection = {}) {
  if (FOLDER) await mkdir(FOLDER, { recursive: true })
  const problems = [...(await findOtherRoute(page, name)), ...(await page.evaluate(findMotion))]
  await page.evaluate(finishAnimations)
  const checkVariants = async (
    ...checks: ((page: Page, variant: Variant, where: string) => Promise<string[]>)[]
  ) => {
    for (const each of FOLDER ? SCREENSHOT_VARIANTS : CHECKED_VARIANTS) {
      if (page.viewportSize()?.width !== each.size.width) {
        await page.setViewportSize(each.size)
        await page.evaluate(waitTwoFrames)
      }
      const former = await page.evaluate(changeTheme, each.theme)
      const where = `${name}-${each.size.width}-${each.theme}`
      for (const check of checks) {
        problems.push(...(await check(page, each, where)).map((problem) => `${where}: ${problem}`))
      }
      await page.evaluate(changeTheme, former)
    }
  }
  if (repeats) {
    await checkVariants(checkLayout, takeScreenshot)
    await page.evaluate(dropRepeats, repeats)
    await checkVariants(findViolations)
  } else await checkVariants(checkLayout, takeScreenshot, findViolations)
  problems.push(...(await page.evaluate(findScrolledFrame)).map((problem) => `${name}: ${problem}`))
  expect(problems).toEqual([])
}

/** An animation keeps the colors of the theme in which it started, such as the highlight of a changed row. */
const finishAnimations = () => {
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish()
}

/** Waits until the page has rendered for a new size of the window. */
const waitTwoFrames = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })

/** `inspected-routes.ts` lists which inspection covers which route: another route on the page would leave one out. */
async function findOtherRoute(page: Page, name: string): Promise<string[]> {
  const expected = Object.entries(INSPECTED).find(([, each]) => each === name)?.[0]
  const shown = expected && (await page.evaluate(shownRoute))
  return expected === shown ? [] : [`${name} shows ${shown}, not ${expected}`]
}

const checkLayout = async (page: Page, { theme }: Variant) =>
  theme === 'dark' && !FOLDER ? [] : page.evaluate(findOverflow)

async function takeScreenshot(page: Page, _variant: Variant, where: string) {
  if (!FOLDER) return []
  await page.screenshot({ path: join(FOLDER, `${where}.jpg`), type: 'jpeg', quality: 85 })
  return []
}

const findViolations = async (page: Page, { rules }: Variant) =>
  rules === 'none' ? [] : auditPage(page, rules)

/** Returns the former theme, which is null if the system decides. Runs in the page. */
function changeTheme(theme: string | null): string | null {
  const { dataset } = document.documentElement
  const former = dataset.theme ?? null
  if (theme) dataset.theme = theme
  else delete dataset.theme
  return former
}

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
