import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions, Spec } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The global that the axe script defines in the page. */
interface Axe {
  configure: (spec: Spec) => void
  run: (context: Document, options: RunOptions) => Promise<AxeResults>
}

/** Text styles on backgrounds that axe has checked in this process, so that it checks the frame of all pages once. */
const checkedContrasts = new Set<string>()

export type Rules = 'all' | 'all but contrast' | 'contrast'

/** The violations that axe finds in the page. It spends most of its time on contrast, and checks each pair of styles once. */
export async function auditPage(page: Page, rules: Rules): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'))
  if (rules === 'all but contrast') return page.evaluate(runAxe, rules)
  const { styles, isAnyMarked } = await page.evaluate(markContrasts, [...checkedContrasts])
  if (rules === 'contrast' && !isAnyMarked) return []
  const violations = await page.evaluate(runAxe, rules)
  if (violations.length === 0) for (const each of styles) checkedContrasts.add(each)
  return violations
}

/** Runs in the page. */
async function runAxe(rules: Rules): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: Axe }
  // By default, axe serializes every element that it checks.
  axe.configure({ noHtml: true, rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] })
  const results = await axe.run(document, {
    resultTypes: ['violations'],
    elementRef: true,
    preload: false,
    ...(rules === 'contrast'
      ? { runOnly: ['color-contrast'] }
      : { rules: { 'color-contrast': { enabled: rules === 'all' } } }),
  })
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ element }) => `${id} ${element?.outerHTML.slice(0, 200)}`),
  )
}

/**
 * Marks the elements with text whose contrast is unchecked, and returns their contrasts: the style of the text and the
 * colors behind it up to the nearest opaque background. Some texts are always marked: positioned text, because its
 * background depends on the layout, and text of labels and disabled controls or for screen readers, which axe ignores.
 * Runs in the page.
 */
function markContrasts(checkedStyles: string[]): { styles: string[]; isAnyMarked: boolean } {
  interface Background {
    colors: string
    opacity: string
    isFixed: boolean
    isShown: boolean
  }
  const backgrounds = new Map<Element | null, Background>([
    [null, { colors: '', opacity: '', isFixed: true, isShown: true }],
  ])
  const backgroundOf = (element: Element | null): Background => {
    const found = backgrounds.get(element)
    if (found) return found
    const behind = backgroundOf(element!.parentElement)
    const style = getComputedStyle(element!)
    const { width, height } = element!.getBoundingClientRect()
    const color = `${style.backgroundColor} ${style.backgroundImage} ${style.filter} ${style.mixBlendMode}`
    const opacity = style.opacity === '1' ? behind.opacity : `${behind.opacity} ${style.opacity}`
    const isOpaque = /^rgb\([^/]+\) none none normal$/.test(color) && opacity === ''
    const background = {
      colors: isOpaque ? color : `${behind.colors}, ${color}`,
      opacity,
      isFixed: isOpaque || (behind.isFixed && /static|relative/.test(style.position)),
      isShown: behind.isShown && (style.display === 'contents' || (width > 1 && height > 1)),
    }
    backgrounds.set(element, background)
    return background
  }
  const contrastOf = (element: Element): string | null => {
    const { colors, opacity, isFixed, isShown } = backgroundOf(element)
    if (!isFixed || !isShown || element.closest('label, :disabled, [aria-disabled]')) return null
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return [color, fontSize, fontWeight, textShadow, colors, opacity].join(';')
  }
  const texts = new Set<Element>(document.querySelectorAll('input, select, textarea'))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode as Text
    if (data.trim() && parentElement?.checkVisibility()) texts.add(parentElement)
  }
  for (const element of document.querySelectorAll('[data-contrast]')) element.removeAttribute('data-contrast')
  const checked = new Set(checkedStyles)
  const styles = new Set<string>()
  let isAnyMarked = false
  for (const element of texts) {
    const contrast = contrastOf(element)
    if (contrast && checked.has(contrast)) continue
    element.setAttribute('data-contrast', '')
    isAnyMarked = true
    if (contrast) styles.add(contrast)
  }
  return { styles: [...styles], isAnyMarked }
}
