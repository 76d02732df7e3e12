import { LIVE_CHANNEL, type LiveMessage } from '../../streams/notify.ts'
import type { TestApp } from '../test-app.ts'

/** Hears what open dashboards are told of a project, from now on. */
export async function recordLiveMessages(app: TestApp) {
  const heard: (LiveMessage & { projectId: string })[] = []
  await app.sql.listen(LIVE_CHANNEL, (text) => heard.push(JSON.parse(text)))
  return { of: (id: string) => heard.filter(({ projectId }) => projectId === id).map(({ kind }) => kind) }
}
