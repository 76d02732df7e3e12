import { setTimeout as sleep } from 'node:timers/promises'
import { ChangeRefused, send } from './load.ts'

const PAUSE_MS = 100

/**
 * A client that creates a project, lists it, deletes it and lists again, until it is stopped: a list shows what was
 * acknowledged before it, and nothing that was deleted, whether the standby or the primary runs it. A round ends with a
 * request that may be repeated.
 */
export function startLists(url: string, secret: string) {
  const problems: string[] = []
  let lists = 0
  let isStopped = false

  const request = (method: string, path: string, body?: object) =>
    send(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const isListed = async (id: string): Promise<boolean> => {
    const response = await request('GET', '/projects?limit=50')
    const { items } = (await response.json()) as { items: { id: string }[] }
    lists++
    return items.some((item) => item.id === id)
  }

  async function makeRound(n: number): Promise<void> {
    const created = await request('POST', '/projects', { name: `Listed ${n}` })
    const { id } = (await created.json()) as { id: string }
    if (!(await isListed(id))) problems.push(`Listed ${n}: a list after the creation does not show it`)
    await request('DELETE', `/projects/${id}`)
    if (await isListed(id)) problems.push(`Listed ${n}: a list after the deletion shows it`)
  }

  async function repeat(): Promise<void> {
    for (let n = 1; !isStopped; n++) {
      await makeRound(n).catch((error: Error) => {
        if (error instanceof ChangeRefused) problems.push(`Listed ${n}: ${error.message}`)
      })
      await sleep(PAUSE_MS)
    }
  }

  const running = repeat()
  return {
    problems,
    count: () => lists,
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}

/** How many lists the standby ran for a process since its start. */
export async function standbyReadsOf(apiUrl: string): Promise<number> {
  const response = await fetch(`${apiUrl}/metrics`)
  const match = /atrium_standby_reads_total\{outcome="standby"\} (\d+)/.exec(await response.text())
  return Number(match?.[1] ?? 0)
}
