import { Busy } from '../../errors.ts'

export interface SocketLimits {
  total: number
  perOrganization: number
}

export const SOCKET_LIMITS: SocketLimits = { total: 2000, perOrganization: 500 }

/** How many sockets are open in this process, in total and per organization. */
export function createSocketSlots({ total, perOrganization }: SocketLimits) {
  const counts = new Map<string, number>()
  let openCount = 0
  return {
    /** Returns the function that frees the slot, which may be called more than once. */
    take(orgId: string): () => void {
      const count = counts.get(orgId) ?? 0
      if (openCount >= total) throw new Busy('UNAVAILABLE', 'This server has too many open connections')
      if (count >= perOrganization)
        throw new Busy('RATE_LIMITED', 'This organization has too many open connections')
      openCount += 1
      counts.set(orgId, count + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        openCount -= 1
        const remaining = counts.get(orgId)! - 1
        if (remaining > 0) counts.set(orgId, remaining)
        else counts.delete(orgId)
      }
    },
    size: () => openCount,
  }
}
