import { useEffect, useState } from 'react'

/** Polled, since the canvas moves blocks without an event. */
export const POLL_MS = 150

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Null while the element is off screen. */
export function useTargetBox(selector: string): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    const measure = () => setBox((before) => keepIfEqual(before, boxOf(selector)))
    measure()
    const timer = setInterval(measure, POLL_MS)
    window.addEventListener('resize', measure)
    return () => {
      clearInterval(timer)
      window.removeEventListener('resize', measure)
    }
  }, [selector])
  return box
}

function boxOf(selector: string): Box | null {
  // The rail and the phone's bar contain the same element; one is hidden.
  const element = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility())
  if (!element) return null
  const { left, top, width, height } = element.getBoundingClientRect()
  const isOnScreen = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0
  return isOnScreen ? { left, top, width, height } : null
}

export const boxesOf = (selector: string): Box[] =>
  [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())

/** Keeps the previous object if equal, so React doesn't rerender. */
const keepIfEqual = (before: Box | null, after: Box | null) =>
  before && after && FIELDS.every((field) => before[field] === after[field]) ? before : after

const FIELDS = ['left', 'top', 'width', 'height'] as const

const GAP = 16

interface Size {
  width: number
  height: number
}

/**
 * Beside the element on the first side with room that covers none of the others, else in a free corner. Never covers
 * the element if there's room elsewhere.
 */
export function cardPosition(
  target: Box | null,
  card: Size,
  screen: Size,
  others: readonly Box[] = [],
): { left: number; top: number } {
  const corner = { left: screen.width - card.width - GAP, top: screen.height - card.height - GAP }
  if (!target) return corner
  const clamp = (value: number, size: number, length: number) =>
    Math.min(Math.max(value, GAP), length - size - GAP)
  const top = clamp(target.top, card.height, screen.height)
  const left = clamp(target.left + target.width / 2 - card.width / 2, card.width, screen.width)
  const places = [
    { left: target.left + target.width + GAP, top },
    { left: target.left - GAP - card.width, top },
    { left, top: target.top + target.height + GAP },
    { left, top: target.top - GAP - card.height },
    corner,
    { left: corner.left, top: BELOW_HEADER },
  ].filter(
    (place) =>
      place.left >= GAP &&
      place.top >= GAP &&
      place.left <= corner.left &&
      place.top <= corner.top &&
      !overlap({ ...place, ...card }, target),
  )
  const free = places.find((place) => !others.some((other) => overlap({ ...place, ...card }, other)))
  return free ?? places[0] ?? corner
}

/** The bar of a project's page. */
const BELOW_HEADER = 72

const overlap = (one: Box, other: Box) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height
