import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** What a key does on one page, beside the keys that do the same everywhere. */
export interface PageKey {
  label: string
  /** As the keyboard names it: `x`, `F2`, `mod+a`, `shift+1`. */
  keys: string
  icon: LucideIcon
  /** Neither in the sheet nor in the palette: another key for something that is there already. */
  unlisted?: true
  /** False leaves the key to whoever else wants it. There is no event when it is chosen from the palette. */
  run: (event?: KeyboardEvent) => unknown
}

/** What each part of the page offers, the latest first. */
let offered: (() => PageKey[])[] = []

const current = () => offered.flatMap((keys) => keys())

/** Gives the page, or a part of it, its own keys while it is on the screen; the shortcuts sheet and the palette list them. */
export function usePageKeys(keys: PageKey[]) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const mine = () => latest.current
    offered = [mine, ...offered]
    return () => {
      offered = offered.filter((other) => other !== mine)
    }
  }, [])
}

export const pageKeys = () => current().filter((key) => !key.unlisted)

/** Buttons, boxes and menus keep the keys that press them. */
const PRESSES = /^( |Enter)$/

export function runPageKey(keys: string, event: KeyboardEvent): boolean {
  if (event.target instanceof HTMLElement) {
    if (event.target.closest('[role=menu]')) return false
    if (PRESSES.test(event.key) && event.target.closest('button, input, summary, [role=treeitem]'))
      return false
  }
  const found = current().find((candidate) => candidate.keys === keys)
  if (!found || found.run(event) === false) return false
  event.preventDefault()
  return true
}
