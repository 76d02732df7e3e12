import type { Viewer } from '../../features/projects/access/access.ts'
import type { TestApp } from '../test-app.ts'
import type { Organization, Person } from './factories.ts'

export const MEMBERS = 6
export const PROJECTS = 60
const WORKSPACES = 6
const SEED = 12_345

/** Deterministic. Returns each member as a viewer in each organization role. */
export async function seedRandomProjects(app: TestApp, org: Organization): Promise<Viewer[]> {
  const random = createRandom(SEED)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  const workspaces = await Promise.all(Array.from({ length: WORKSPACES }, () => app.workspace(org)))
  await app.sql`update workspaces set deleted_at = now() where id = any(${workspaces.slice(0, 2)}::uuid[])`
  const members: Person[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const member = await app.person(org)
    for (const id of workspaces)
      await app.setWorkspaceRole(member, id, pick(['editor', 'viewer', null, null]))
    members.push(member)
  }
  for (let n = 0; n < PROJECTS; n++) {
    const workspaceIds = [...new Set(Array.from({ length: 1 + random(3) }, () => pick(workspaces)))]
    const visibility = pick(['team', 'private'] as const)
    await app.project(pick(members), { visibility, workspaceIds, deleted: random(5) === 0 })
  }
  return members.flatMap(({ id: userId }) =>
    (['owner', 'admin', 'member'] as const).map((role) => ({ orgId: org.id, userId, role })),
  )
}

/** A linear congruential generator, seeded unlike Math.random. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
