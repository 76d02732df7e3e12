import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

export interface PageKey {
  label: string
  /** In `keyboard.ts` notation: `x`, `F2`, `mod+a`, `shift+1`. */
  keys: string
  icon: LucideIcon
  /** An alternative key, omitted from the shortcuts dialog and the palette. */
  unlisted?: true
  /** Returns false to leave the key to the next handler. The palette passes no event. */
  run: (event?: KeyboardEvent) => unknown
}

/** Per mounted component, latest first. */
let registered: (() => PageKey[])[] = []

const registeredKeys = () => registered.flatMap((keys) => keys())

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

/** A focused control handles these itself. */
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
