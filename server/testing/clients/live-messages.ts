import { ACCESS_CHANNEL, type LiveMessage, PROJECT_CHANNEL } from '../../streams/notify.ts'
import type { TestApp } from '../test-app.ts'

/** `access` marks a project access change. */
export async function recordLiveMessages(app: TestApp) {
  const received: { projectId?: string; kind: LiveMessage['kind'] | 'access' }[] = []
  await app.sql.listen(PROJECT_CHANNEL, (payload) => received.push(JSON.parse(payload)))
  await app.sql.listen(ACCESS_CHANNEL, (payload) => received.push({ ...JSON.parse(payload), kind: 'access' }))
  return { of: (id: string) => received.filter(({ projectId }) => projectId === id).map(({ kind }) => kind) }
}
