import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../contract/text.ts'
import { failureMessage } from '../api/explain.ts'
import { createStore } from '../state/store.ts'
import { TIMEOUTS } from '../state/timers.ts'
import { Button } from './button.tsx'

const VISIBLE_MAX = 3

interface Toast {
  id: number
  text: ReactNode
  action?: { label: string; run: () => void }
}

const toasts = createStore<Toast[]>([])
let lastId = 0

export function toast(text: ReactNode, action?: Toast['action']) {
  toasts.set([...toasts.get(), { id: ++lastId, text, action }].slice(-VISIBLE_MAX))
}

export function toastFailure(error: unknown) {
  const message = failureMessage(error)
  if (message) toast(message)
}

/** At sign-out: they name the former user's records. */
export const clearToasts = () => toasts.set([])

export function Toaster() {
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      data-toasts
      className="pointer-events-none fixed inset-x-16 bottom-16 z-30 flex flex-col items-center gap-8"
    >
      {toasts.use().map((entry) => (
        <ToastRow key={entry.id} entry={entry} />
      ))}
    </section>
  )
}

function ToastRow({ entry }: { entry: Toast }) {
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismiss(entry.id), TIMEOUTS.toastMs)
    return () => clearTimeout(timer)
  }, [entry.id, paused])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timeout.
    <div
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-auto flex min-h-48 animate-rise items-center gap-12 rounded-panel bg-float py-8 pr-8 pl-16 text-13 shadow-float"
    >
      <span className="min-w-0 break-words">{entry.text}</span>
      {entry.action && (
        <Button size="small" onClick={() => runAction(entry)}>
          {entry.action.label}
        </Button>
      )}
      <Button look="quiet" size="small-icon" aria-label="Dismiss" onClick={() => dismiss(entry.id)}>
        <X aria-hidden className="icon" />
      </Button>
    </div>
  )
}

function runAction({ id, action }: Toast) {
  dismiss(id)
  action?.run()
}

/** A property, because the translation skips literals in comparisons. */
const UNDO = { label: t`Undo` }

/**
 * By keyboard: on a long page, tabbing to the toast takes longer than it stays. Returns false if there's nothing to
 * undo.
 */
export function undoLast(): boolean {
  const entry = toasts.get().findLast(({ action }) => action?.label === UNDO.label)
  if (entry) runAction(entry)
  return !!entry
}

function dismiss(id: number) {
  toasts.set(toasts.get().filter((entry) => entry.id !== id))
}
