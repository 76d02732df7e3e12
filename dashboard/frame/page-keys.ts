import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** A keyboard shortcut of one page, in addition to the global ones. */
export interface PageKey {
  label: string
  /** In the notation of `keyboard.ts`: `x`, `F2`, `mod+a`, `shift+1`. */
  keys: string
  icon: LucideIcon
  /** An alternative key for a listed shortcut; omitted from the shortcuts dialog and the palette. */
  unlisted?: true
  /** Returns false to leave the key to the next handler. The palette calls it without an event. */
  run: (event?: KeyboardEvent) => unknown
}

/** The shortcuts that each mounted component registered, the latest first. */
let registered: (() => PageKey[])[] = []

const registeredKeys = () => registered.flatMap((keys) => keys())

/** Registers shortcuts while the component is mounted; the shortcuts dialog and the palette list them. */
export function usePageKeys(keys: PageKey[]) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const readKeys = () => latest.current
    registered = [readKeys, ...registered]
    return () => {
      registered = registered.filter((other) => other !== readKeys)
    }
  }, [])
}

export const pageKeys = () => registeredKeys().filter((key) => !key.unlisted)

/** The keys that activate a focused control; the control handles them itself. */
const ACTIVATION = /^( |Enter)$/

export function runPageKey(keys: string, event: KeyboardEvent): boolean {
  if (event.target instanceof HTMLElement) {
    if (event.target.closest('[role=menu]')) return false
    if (ACTIVATION.test(event.key) && event.target.closest('button, input, summary, [role=treeitem]'))
      return false
  }
  const found = registeredKeys().find((candidate) => candidate.keys === keys)
  if (!found || found.run(event) === false) return false
  event.preventDefault()
  return true
}
