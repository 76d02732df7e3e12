import type { RequestOf } from '../../../contract/endpoint.ts'
import type { sharing } from '../../../contract/projects/sharing.ts'
import { createTestProject } from '../clients/live.ts'
import type { Headers, TestApp } from '../test-app.ts'

type InviteOptions = Omit<RequestOf<typeof sharing.invite>, 'projectId'>

export async function createProjectInvite(app: TestApp, options: InviteOptions = { role: 'editor' }) {
  const project = await createTestProject(app)
  const browser = await app.withSession(project.creator)
  const invite = await browser.sharing.invite({ projectId: project.id, ...options })
  const [mail] = await app.sql`select body from mails where id = ${`project-invite-${invite.id}`}`
  return { project, browser, invite, token: /join#(\S+)/.exec(invite.url ?? mail!.body)![1]! }
}

export const acceptProjectInvite = (app: TestApp, body: object, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/project-invite/accept', { headers, body })

export const readProjectInvite = (app: TestApp, token: string) =>
  app.request('GET', `/api/v1/auth/project-invite?token=${token}`)

export async function roleIn(app: TestApp, workspaceId: string, userId: string): Promise<string | undefined> {
  const [row] = await app.sql`
    select role from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId}`
  return row?.role
}
