const MINUTE_MS = 60_000
const MINUTES = 5
/** Per minute. With more, no single organization causes the load. */
const ORGANIZATIONS_MAX = 1000

export const LOAD_WINDOW_S = (MINUTES * MINUTE_MS) / 1000

export interface OrganizationLoad {
  orgId: string
  requests: number
  /** From arrival to response end. */
  seconds: number
}

type Minute = Map<string, { requests: number; milliseconds: number }>

/** Last five minutes, in this process. */
export function createLoad(now: () => number = Date.now) {
  let minutes: { at: number; byOrg: Minute }[] = []

  function currentMinute(): Minute {
    const at = Math.floor(now() / MINUTE_MS)
    const last = minutes.at(-1)
    if (last?.at === at) return last.byOrg
    const byOrg: Minute = new Map()
    minutes = [...minutes.filter((minute) => minute.at > at - MINUTES), { at, byOrg }]
    return byOrg
  }

  return {
    add(orgId: string, milliseconds: number): void {
      const minute = currentMinute()
      const found = minute.get(orgId)
      if (found) {
        found.requests++
        found.milliseconds += milliseconds
      } else if (minute.size < ORGANIZATIONS_MAX) minute.set(orgId, { requests: 1, milliseconds })
    },
    largest(limit: number): OrganizationLoad[] {
      currentMinute()
      const total = new Map<string, OrganizationLoad>()
      for (const { byOrg } of minutes)
        for (const [orgId, { requests, milliseconds }] of byOrg) {
          const sum = total.get(orgId) ?? { orgId, requests: 0, seconds: 0 }
          total.set(orgId, {
            orgId,
            requests: sum.requests + requests,
            seconds: sum.seconds + milliseconds / 1000,
          })
        }
      return [...total.values()].sort((a, b) => b.requests - a.requests).slice(0, limit)
    },
  }
}

export type Load = ReturnType<typeof createLoad>
