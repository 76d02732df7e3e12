import { useSyncExternalStore } from 'react'

/** A value that outlives components and that any of them may watch. */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  const set = (next: T) => {
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get,
    set,
    subscribe,
    use: () => useSyncExternalStore(subscribe, get),
    /** A part of it: who watches that is drawn again only when the part is another. */
    useOf: <R>(part: (value: T) => R) => useSyncExternalStore(subscribe, () => part(value)),
  }
}
