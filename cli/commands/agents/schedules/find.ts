import { schedules } from '../../../../contract/agents/schedules.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { isId } from '../../../is-id.ts'

export type Schedule = OutputOf<typeof schedules.get>

export async function listAll({ server, client }: Connection, projectId?: string): Promise<Schedule[]> {
  const items: Schedule[] = []
  let cursor: string | undefined
  do {
    const list = client.schedules.list({ projectId, limit: 100, cursor })
    const page = await parseResponse(server, schedules.list, list)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Finds a schedule by its id, or by its name if it is unique. */
export async function findSchedule(connection: Connection, ref: string): Promise<Schedule> {
  const { server, client } = connection
  if (isId(ref)) return parseResponse(server, schedules.get, client.schedules.get({ id: ref }))
  const found = (await listAll(connection)).filter(({ name }) => name === ref)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Schedule ${ref} not found`,
      'Run `npx atrium schedules ls` to list schedules.',
    )
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} schedules are named ${ref}: use an id`, `Ids: ${ids}`)
}
