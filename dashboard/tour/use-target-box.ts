import { useEffect, useState } from 'react'

/** The canvas moves its blocks without an event. */
const LOOK_EVERY_MS = 150

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Where the element is on the screen; null while it is not. */
export function useTargetBox(selector: string): Box | null {
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    const look = () => setBox((before) => unchanged(before, boxOf(selector)))
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    window.addEventListener('resize', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('resize', look)
    }
  }, [selector])
  return box
}

function boxOf(selector: string): Box | null {
  // The rail and the bar of a phone have the same element; one of them is hidden.
  const element = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility())
  if (!element) return null
  const { left, top, width, height } = element.getBoundingClientRect()
  const isOnScreen = left < innerWidth && top < innerHeight && left + width > 0 && top + height > 0
  return isOnScreen ? { left, top, width, height } : null
}

/** Keeps the previous object if the box has not changed, so that React does not render again. */
const unchanged = (before: Box | null, after: Box | null) =>
  before && after && FIELDS.every((field) => before[field] === after[field]) ? before : after

const FIELDS = ['left', 'top', 'width', 'height'] as const
