/** Finds movement, which must not occur if the browser prefers reduced motion. Runs in the page. */
export function findMotion(): string[] {
  const MOVING =
    /^(translate|rotate|scale|transform|offset[A-Z]|inset|top|left|right|bottom|width|height|margin)/
  return document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getTiming().duration) > 0)
    .filter(({ effect }) =>
      (effect as KeyframeEffect)
        .getKeyframes()
        .some((frame) => Object.keys(frame).some((property) => MOVING.test(property))),
    )
    .map(({ effect }) => `moves: ${(effect as KeyframeEffect).target?.outerHTML.slice(0, 120)}`)
}

/**
 * Finds pages and areas that scroll sideways, and controls that cannot be reached without scrolling sideways. Areas
 * that are made to scroll sideways, such as a board, are marked by `overflow-x`; the canvas moves under its own rules.
 * Runs in the page.
 */
export function findOverflow(): string[] {
  const scrollsSideways = (element: Element) => element.scrollWidth > element.clientWidth + 1
  const describe = (element: Element) => element.outerHTML.slice(0, 160)
  const areas = [...document.querySelectorAll('[data-scroll], dialog[open], aside, main')]
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary, h1, h2')]
  const isOutside = (element: Element) => {
    const { left, right, width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1)
  }
  const hasOwnScrolling = (element: Element | null): boolean => {
    if (!element || element === document.body) return false
    if (element.matches('.react-flow')) return true
    const isScroller = /auto|scroll/.test(getComputedStyle(element).overflowX)
    return (isScroller && scrollsSideways(element)) || hasOwnScrolling(element.parentElement)
  }
  return [
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth
      ? ['scrolls sideways']
      : []),
    ...areas
      .filter((area) => /auto|scroll/.test(getComputedStyle(area).overflowX) && scrollsSideways(area))
      .map((area) => `scrolls sideways: ${describe(area)}`),
    ...controls
      .filter((control) => control.checkVisibility() && isOutside(control) && !hasOwnScrolling(control))
      .map((control) => `is outside: ${describe(control)}`),
  ]
}

/**
 * Focuses every focusable element in turn. None may scroll the frame or the window, which a reader cannot scroll back, and
 * each has to be visible once it has the focus. Runs in the page, last: the focus may close a field that is edited in place.
 */
export function findScrolledFrame(): string[] {
  const frame = document.querySelector('[data-frame]')
  if (!frame) return []
  const former = document.activeElement
  const problems = new Set<string>()
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]'
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    element.focus()
    if (document.activeElement !== element) continue
    for (const place of [frame, document.documentElement, document.body]) {
      if (place.scrollTop === 0 && place.scrollLeft === 0) continue
      problems.add(`the focus scrolls the frame: ${element.outerHTML.slice(0, 200)}`)
      place.scrollTo(0, 0)
    }
    const { top, bottom } = element.getBoundingClientRect()
    const isRegion = bottom - top > innerHeight / 2
    if (!isRegion && (bottom < 0 || top > innerHeight))
      problems.add(`the focused element is out of view: ${element.outerHTML.slice(0, 200)}`)
  }
  // The body cannot take the focus back.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  if (former instanceof HTMLElement) former.focus({ preventScroll: true })
  return [...problems]
}
