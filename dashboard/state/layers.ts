import { useEffect, useEffectEvent, useState } from 'react'

/** Returns false to leave the key to the layer beneath. */
type OnEscape = (event: KeyboardEvent) => unknown

interface Layer {
  order: number
  onEscape: OnEscape
}

let nextOrder = 0
let layers: readonly Layer[] = []

/**
 * Lets Escape close a component while it is mounted, once everything that opened later is closed. A native dialog is above
 * every layer, and a focused field that handles Escape itself, such as a name, stops the event.
 */
export function useLayer(onEscape: OnEscape) {
  // Counted while rendering, because the effects of a child run before those of its parent.
  const [order] = useState(() => nextOrder++)
  const handle = useEffectEvent(onEscape)
  useEffect(() => {
    const layer = { order, onEscape: (event: KeyboardEvent) => handle(event) }
    layers = [...layers, layer].toSorted((left, right) => right.order - left.order)
    return () => {
      layers = layers.filter((other) => other !== layer)
    }
  }, [order])
}

/** Passes Escape to the layers, the innermost first; returns whether one of them used it. */
export const closeInnermostLayer = (event: KeyboardEvent): boolean =>
  layers.some(({ onEscape }) => onEscape(event) !== false)

/** Whether keys enter text or change a value there. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio)$/.test(target.getAttribute('type') ?? '')
