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
    runRequested(keys)
  })
  useEffect(() => {
    const readKeys = () => latest.current
    registered = [readKeys, ...registered]
    return () => {
      registered = registered.filter((other) => other !== readKeys)
    }
  }, [])
}

/** What the palette asked of a page that is still loading. */
let requested: { label: string; until: number } | undefined

const REQUEST_MS = 5000

/** Runs the action of this name as soon as a page offers it: call it before the navigation. */
export function requestPageAction(label: string) {
  requested = { label, until: Date.now() + REQUEST_MS }
  runRequested(registeredKeys())
}

function runRequested(keys: PageKey[]) {
  if (!requested) return
  const { label, until } = requested
  if (Date.now() > until) requested = undefined
  else if (keys.some((key) => key.label === label && key.run() !== false)) requested = undefined
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
