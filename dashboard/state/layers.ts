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
 * Escape closes the component once everything opened later is closed. Native dialogs are above every layer, and a
 * focused field that handles Escape itself stops the event.
 */
export function useLayer(onEscape: OnEscape) {
  // Counted while rendering, because a child's effects run before its parent's.
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

/** Passes Escape to the innermost layer first. Returns whether one used it. */
export const closeInnermostLayer = (event: KeyboardEvent): boolean =>
  layers.some(({ onEscape }) => onEscape(event) !== false)

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !/^(checkbox|radio)$/.test(target.getAttribute('type') ?? '')
