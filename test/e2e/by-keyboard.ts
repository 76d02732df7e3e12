import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const TABS_MAX = 120

/** Moves the focus to an element with Tab alone, as a person without a mouse does, and expects to see it there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs <= TABS_MAX; tabs++) {
    const focus = await target.evaluate(focusOf)
    if (focus === 'visible') return
    expect(focus, `the focus on ${target.toString()}`).not.toBe('invisible')
    await page.keyboard.press('Tab')
  }
  throw new Error(`${TABS_MAX} presses of Tab do not reach ${target.toString()}`)
}

/** Reaches a control with Tab, and presses a key on it. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Reaches a field with Tab, and replaces its content by typing. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Runs in the page. */
function focusOf(element: Element): 'elsewhere' | 'visible' | 'invisible' {
  if (document.activeElement !== element) return 'elsewhere'
  const hasFocusRing = (each: Element, part?: string) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each, part)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  }
  // A link that fills its row shows the focus around the row, and a field can show it on the frame around it.
  const frame = element.parentElement
  return hasFocusRing(element) || hasFocusRing(element, '::after') || (frame && hasFocusRing(frame))
    ? 'visible'
    : 'invisible'
}
