import { busy } from '../../errors.ts'

export interface SocketLimits {
  total: number
  perOrganization: number
}

export const SOCKET_LIMITS: SocketLimits = { total: 2000, perOrganization: 500 }

/** How many sockets are open in this process, in total and per organization. */
export function createSocketSlots({ total, perOrganization }: SocketLimits) {
  const counts = new Map<string, number>()
  let open = 0
  return {
    /** Returns the function that frees the slot, which may be called more than once. */
    take(orgId: string): () => void {
      const count = counts.get(orgId) ?? 0
      if (open >= total) throw busy('UNAVAILABLE', 'This server has too many open connections')
      if (count >= perOrganization)
        throw busy('RATE_LIMITED', 'This organization has too many open connections')
      open += 1
      counts.set(orgId, count + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        open -= 1
        const left = counts.get(orgId)! - 1
        if (left > 0) counts.set(orgId, left)
        else counts.delete(orgId)
      }
    },
    size: () => open,
  }
}
