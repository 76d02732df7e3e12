import { newId } from '../../server/security/ids.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import type { TestApp } from '../../server/testing/test-app.ts'
import { seedComments, seedNotifications } from './seed-comments.ts'
import { seedConnections, seedEndpoints } from './seed-connections.ts'
import { seedFiles } from './seed-files.ts'
import { openLink, seedLinks } from './seed-links.ts'
import { seedPassages } from './seed-passages.ts'
import { seedPayments } from './seed-payments.ts'
import { seedProgram, seedProjectTables, seedSteps } from './seed-project-tables.ts'
import { seedGuardrails, seedMcpServers, seedRuns } from './seed-runs.ts'
import { seedSearch } from './seed-search.ts'
import { seedSources } from './seed-sources.ts'
import {
  seedAgents,
  seedCanvas,
  seedFeedback,
  seedMembers,
  seedMemory,
  seedSkills,
  seedWebhooks,
} from './seed-tables.ts'
import { seedTelephony } from './seed-telephony.ts'

/** One organization with `count` rows in each table and `uploads` files. */
export interface World {
  owner: Person
  /** A member of the workspace with most projects. */
  member: Person
  /** A member of a workspace with few projects. */
  smallMember: Person
  operator: Person
  count: number
  /** The number of uploads in the root; half as many are in one project, in several, in the trash, and links. */
  uploads: number
  workspaceId: string
  smallWorkspaceId: string
  projectId: string
  webhookId: string
  feedbackId: string
  agentId: string
  memoryId: string
  skillId: string
  sessionId: string
  scheduleId: string
  /** Folders: `links` contains shortcuts to files of other projects, `small` thirty files. */
  projectFolderId: string
  linksFolderId: string
  smallFolderId: string
  /** A file with versions, in a folder with public links, and a guest token for one of them. */
  versionedId: string
  linkedFolderId: string
  guestToken: string
}

export async function seedWorld(
  app: TestApp,
  { count, uploads }: Pick<World, 'count' | 'uploads'>,
): Promise<World> {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const member = await app.person(org)
  const smallMember = await app.person(org)
  const operator = (await app.operator()).person
  const smallWorkspaceId = await app.workspace(org)
  await app.setWorkspaceRole(smallMember, org.workspaceId, null)
  await app.setWorkspaceRole(smallMember, smallWorkspaceId, 'viewer')
  const { id: projectId, folderId: projectFolderId } = await app.project(owner, {
    workspaceIds: [org.workspaceId, smallWorkspaceId],
  })
  const world = {
    owner,
    member,
    smallMember,
    operator,
    count,
    uploads,
    workspaceId: org.workspaceId,
    smallWorkspaceId,
    projectId,
    projectFolderId,
    webhookId: newId(),
    feedbackId: newId(),
    agentId: newId(),
    memoryId: newId(),
    skillId: newId(),
    sessionId: newId(),
    scheduleId: newId(),
    linksFolderId: newId(),
    smallFolderId: newId(),
    versionedId: newId(),
    linkedFolderId: newId(),
    guestToken: '',
  }
  await app.sql.begin(async (sql) => {
    // The rows are consistent, and checking the foreign keys would take most of the time.
    await sql`set local session_replication_role = replica`
    await seedMembers(sql, world)
    await seedFiles(sql, world)
    await seedLinks(sql, world)
    await seedCanvas(sql, world)
    await seedWebhooks(sql, world)
    await seedFeedback(sql, world)
    await seedAgents(sql, world)
    await seedMemory(sql, world)
    await seedSkills(sql, world)
    await seedRuns(sql, world)
    await seedProgram(sql, world)
    await seedProjectTables(sql, world)
    await seedSteps(sql, world)
    await seedPayments(sql, world)
    await seedSources(sql, world)
    await seedGuardrails(sql, world)
    await seedMcpServers(sql, world)
    await seedConnections(sql, world, 500)
    await seedEndpoints(sql, world, 600)
    await seedTelephony(sql, world)
    await seedSearch(sql, world)
    await seedPassages(sql, world)
    await seedComments(sql, world)
    await seedNotifications(sql, world)
  })
  world.guestToken = await openLink(app)
  return world
}
