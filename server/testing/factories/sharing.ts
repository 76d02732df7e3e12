import type { RequestOf } from '../../../contract/endpoint.ts'
import type { sharing } from '../../../contract/projects/sharing.ts'
import { createTestProject, type TestProject } from '../clients/live.ts'
import type { Headers, TestApp } from '../test-app.ts'

type ShareOptions = Omit<RequestOf<typeof sharing.share>, 'projectId'>

export async function createSharedProject(app: TestApp, options: ShareOptions = {}) {
  const project = await createTestProject(app)
  const browser = await app.withSession(project.creator)
  const share = await browser.sharing.share({ projectId: project.id, ...options })
  return { project, browser, share, token: tokenIn(share) }
}

export const tokenIn = ({ url }: { url: string | null }) => url!.split('/s/')[1]!

export const openShare = (app: TestApp, body: { token: string; password?: string }, headers: Headers = {}) =>
  app.request('POST', '/api/v1/shares/open', { headers, body })

export async function guestHeaders(app: TestApp, token: string, password?: string): Promise<Headers> {
  const { body } = await openShare(app, { token, password })
  return { 'x-guest-token': body.guestToken }
}

export const readCanvas = (app: TestApp, { id }: Pick<TestProject, 'id'>, headers: Headers) =>
  app.request('GET', `/api/v1/projects/${id}/blocks`, { headers })

export const addNote = (app: TestApp, { id }: Pick<TestProject, 'id'>, headers: Headers) =>
  app.request('POST', `/api/v1/projects/${id}/blocks`, { headers, body: { type: 'note', content: 'hello' } })
