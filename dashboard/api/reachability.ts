import { createStore } from '../state/store.ts'

/** Whether the last call reached the server at all. */
const reachable = createStore(true)

export const useReachable = reachable.use

export function noteReachable(now: boolean) {
  if (reachable.get() !== now) reachable.set(now)
}
