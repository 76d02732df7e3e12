import { useSyncExternalStore } from 'react'

/** A global observable value with React hooks. */
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
    /** Subscribes to a selected part; renders only when that part changes. */
    useSelect: <R>(select: (value: T) => R) => useSyncExternalStore(subscribe, () => select(value)),
  }
}
