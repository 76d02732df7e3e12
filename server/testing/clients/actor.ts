import type { EventType } from '../../../contract/webhooks/event-types.ts'
import { cookie } from '../test-app.ts'
import { createStoredFile, recordOf } from './file-client.ts'
import type { HooksApp } from './webhook-app.ts'

export type Actor = Awaited<ReturnType<typeof actor>>

/** Somebody who may do everything in their organization, and somebody who runs the server. */
export async function actor(app: HooksApp) {
  const { org, person, client } = await app.owner()
  return {
    app,
    org,
    person,
    client,
    operator: (await app.operator()).client,
    headers: cookie(await app.session(person)),
    project: () => app.project(person, { name: 'Launch' }),
    file: (parentId = org.id) => createStoredFile(app, person, { parentId }),
    folder: async (parentId: string | null = null) =>
      recordOf(await client.files.create({ source: 'folder', name: 'Plans', parentId })),
  }
}

/** What somebody does, and the events that this is: `prepare` makes what it takes, and returns the act itself. */
export interface Act {
  tells: EventType[]
  prepare: (by: Actor) => Promise<() => Promise<unknown>>
}

export const act = (tells: EventType | EventType[], prepare: Act['prepare']): Act => ({
  tells: [tells].flat(),
  prepare,
})

/** An act on something that `make` makes. */
const on =
  <T>(make: (by: Actor) => Promise<T>) =>
  (tells: EventType | EventType[], does: (by: Actor, it: T) => Promise<unknown>): Act =>
    act(tells, async (by) => {
      const it = await make(by)
      return () => does(by, it)
    })

export const onNothing = on(async () => null)
export const onProject = on(({ project }) => project())
export const onFile = on(({ file }) => file())
export const onFeedback = on(({ client }) => client.feedback.submit({ message: 'Hello' }))
export const onKey = on(({ app, person }) => app.key(person))

export const onShared = on(async ({ client, project }) => {
  const { id: projectId } = await project()
  await client.sharing.share({ projectId })
  return { projectId }
})

const onBlockOf = (type: 'note' | 'task') =>
  on(async ({ client, project }) => {
    const { id: projectId, folderId } = await project()
    const { id: blockId } = await client.canvas.create({ projectId, type, content: 'Buy milk' })
    return { projectId, folderId, blockId }
  })
export const onBlock = onBlockOf('note')
export const onTask = onBlockOf('task')

export const onRun = on(async ({ client, project }) => {
  const { id: projectId } = await project()
  const { id: runId } = await client.runs.start({ projectId, status: 'running' })
  return { projectId, runId }
})
