import type { Page } from 'playwright-core'

interface Point {
  x: number
  y: number
}

const STEPS = 6

/** Dispatches touch gestures: each finger moves from one point to another, all at the same time. */
export async function touchGestures(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  return async (...paths: [from: Point, to: Point][]) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', progress: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd' ? [] : paths.map(([from, to], id) => ({ ...between(from, to, progress), id })),
      })
    await touch('touchStart', 0)
    for (let step = 1; step <= STEPS; step++) await touch('touchMove', step / STEPS)
    await touch('touchEnd', 1)
  }
}

const between = (from: Point, to: Point, progress: number): Point => ({
  x: from.x + (to.x - from.x) * progress,
  y: from.y + (to.y - from.y) * progress,
})
