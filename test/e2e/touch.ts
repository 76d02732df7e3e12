import type { Page } from 'playwright-core'

interface Point {
  x: number
  y: number
}

const STEPS = 6

/** What a page is touched with: each finger goes from one point to another, all of them at once. */
export async function fingersOn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  return async (...ways: [from: Point, to: Point][]) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd' ? [] : ways.map(([from, to], id) => ({ ...between(from, to, part), id })),
      })
    await touch('touchStart', 0)
    for (let step = 1; step <= STEPS; step++) await touch('touchMove', step / STEPS)
    await touch('touchEnd', 1)
  }
}

const between = (from: Point, to: Point, part: number): Point => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
})
