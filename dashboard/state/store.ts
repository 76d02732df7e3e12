import { useSyncExternalStore } from 'react'

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
    /** Rerenders only when the selected part changes. */
    useSelect: <R>(select: (value: T) => R) => useSyncExternalStore(subscribe, () => select(value)),
  }
}

/** `localStorage` without exceptions: browsers may block storage. */
export const localStore = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string | null) {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // Storage is blocked, so the value lasts until the page closes.
    }
  },
}
