import { cookie, type Headers, type TestApp } from '../../server/testing/test-app.ts'
import type { ListRequest } from './list-request.ts'
import type { World } from './seed.ts'

const CALLERS = ['owner', 'member', 'smallMember', 'operator'] as const

/** A browser session for each caller of the requests. */
export async function sessionsOf(app: TestApp, world: World) {
  const sessions = await Promise.all(
    CALLERS.map(async (by) => [by, cookie(await app.session(world[by]))] as const),
  )
  return Object.fromEntries(sessions) as Record<NonNullable<ListRequest['by']>, Headers>
}
