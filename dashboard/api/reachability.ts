import { createStore } from '../state/store.ts'

/** Whether the last request reached the server. */
const reachable = createStore(true)

export const useReachable = reachable.use

export function setReachable(next: boolean) {
  if (reachable.get() !== next) reachable.set(next)
}
